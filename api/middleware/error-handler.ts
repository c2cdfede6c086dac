import type { ErrorRequestHandler } from 'express';
import { AppError } from '../../common/errors.ts';
import { isMongoAway } from '../../common/platform/mongo.ts';
import { StoreUnavailableError } from '../../common/platform/object-store-errors.ts';
import { UnknownCommitError } from '../../common/platform/transaction.ts';
import { stateOf } from '../request-state.ts';

/** The last of all: every failure as the documented body. A cause is logged, never told. */
export const errorHandler: ErrorRequestHandler = (error: unknown, request, response, _next) => {
  const { log } = stateOf(request);
  if (response.headersSent) {
    // Half an answer is out already: all that is left is to break it off, so that nobody takes it for a whole one.
    log.error({ err: error }, 'answer broken off');
    response.destroy();
    return;
  }
  const appError = toAppError(error);
  if (appError.status >= 500) log.error({ err: error, code: appError.code }, 'request failed');

  if (appError.code === 'UNAUTHORIZED') response.set('WWW-Authenticate', 'Bearer');
  if (appError.retryAfterS !== undefined) response.set('Retry-After', String(appError.retryAfterS));
  response.status(appError.status).json(appError.toBody());
};

/** How long a caller should wait for a database or store that is away, in seconds. */
const storeRetryAfterS = 2;

/** What a caller is told of a failure, whatever was thrown. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  // The router could not decode a path such as /v1/mails/%FF: nobody has such an id.
  if (error instanceof URIError || (error as { status?: number } | null)?.status === 400)
    return new AppError('NOT_FOUND');
  const isStoreAway =
    isMongoAway(error) || error instanceof StoreUnavailableError || error instanceof UnknownCommitError;
  if (isStoreAway) return new AppError('SERVICE_UNAVAILABLE', { retryAfterS: storeRetryAfterS, cause: error });
  return new AppError('INTERNAL_ERROR', { cause: error });
}
