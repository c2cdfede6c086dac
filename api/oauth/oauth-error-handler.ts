import type { ErrorRequestHandler } from 'express';
import type { AppError, ErrorCode } from '#common/errors.ts';
import { OAuthError, type OAuthErrorCode } from '#common/oauth/oauth-error.ts';
import { toAppError } from '../middleware/error-handler.ts';
import { stateOf } from '../requests/request-state.ts';

/** OAuth error codes for errors that are not the client's fault. OAuth defines few of them, so the status says more. */
const codes: Partial<Record<ErrorCode, OAuthErrorCode>> = {
  METHOD_NOT_ALLOWED: 'invalid_request',
  RATE_LIMITED: 'temporarily_unavailable',
  SERVICE_UNAVAILABLE: 'temporarily_unavailable',
};

/** Sends every error of the OAuth routes in the format of RFC 6749, 5.2. The cause is logged and never sent. */
export const oauthErrorHandler: ErrorRequestHandler = (error: unknown, request, response, next) => {
  if (response.headersSent) return next(error);
  if (error instanceof OAuthError) {
    if (error.status === 401) response.set('WWW-Authenticate', 'Basic realm="OAuth", charset="UTF-8"');
    response.status(error.status).json(error.toBody());
    return;
  }
  const appError = toAppError(error);
  if (appError.status >= 500) stateOf(request).log.error({ err: error, code: appError.code }, 'request failed');
  if (appError.retryAfterS !== undefined) response.set('Retry-After', String(appError.retryAfterS));
  response.status(appError.status).json(toBody(appError));
};

function toBody({ code, status, message }: AppError): object {
  const description = status === 500 ? 'Something went wrong on our side. Try again.' : message;
  return { error: codes[code] ?? 'server_error', error_description: description };
}
