import type { ErrorRequestHandler } from 'express';
import { AppError } from '#common/errors.ts';
import { isMongoUnavailable } from '#common/platform/mongo/mongo.ts';
import { UnknownCommitError } from '#common/platform/mongo/transaction.ts';
import { StoreUnavailableError } from '#common/platform/s3/object-store-errors.ts';
import { docsUrlOf } from '../docs/docs-url.ts';
import { isClientDisconnect } from '../requests/is-client-disconnect.ts';
import { stateOf } from '../requests/request-state.ts';
import { bearerChallenge } from './bearer-challenge.ts';

/**
 * Creates the handler that sends every error as the documented error body. Mounted last. The cause is logged and never
 * sent. The base URL is that of the API, without a trailing slash.
 */
export function createErrorHandler(baseUrl: string): ErrorRequestHandler {
  return (error: unknown, request, response, _next) => {
    const { log, sandboxOutcome } = stateOf(request);
    if (isClientDisconnect(error, response)) return;
    if (response.headersSent) {
      // Part of the response is already sent. Abort the connection, or the client would take the part for the whole.
      log.error({ err: error }, 'response aborted');
      response.destroy();
      return;
    }
    const appError = toAppError(error);
    if (appError.status >= 500 && sandboxOutcome === undefined)
      log.error({ err: error, code: appError.code }, 'request failed');

    const challenge = bearerChallenge(appError, request);
    if (challenge !== null && !response.hasHeader('WWW-Authenticate')) response.set('WWW-Authenticate', challenge);
    if (appError.retryAfterS !== undefined) response.set('Retry-After', String(appError.retryAfterS));
    const { code, message, ...more } = appError.toBody();
    response.status(appError.status).json({ code, message, docsUrl: docsUrlOf(baseUrl, code), ...more });
  };
}

/** Seconds after which a client should retry when a database or store is unavailable. */
const storeRetryAfterS = 2;

/** Converts anything thrown to the error that the client sees. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  // The router could not decode a path such as /v1/mails/%FF. No resource has such an ID.
  if (error instanceof URIError || (error as { status?: number } | null)?.status === 400)
    return new AppError('NOT_FOUND');
  const isStoreAway =
    isMongoUnavailable(error) || error instanceof StoreUnavailableError || error instanceof UnknownCommitError;
  if (isStoreAway) return new AppError('SERVICE_UNAVAILABLE', { retryAfterS: storeRetryAfterS, cause: error });
  return new AppError('INTERNAL_ERROR', { cause: error });
}
