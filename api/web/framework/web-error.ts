import type { ErrorRequestHandler } from 'express';
import { isClientDisconnect } from '#api/requests/is-client-disconnect.ts';
import { stateOf } from '#api/requests/request-state.ts';
import { readAcceptedLanguage, splitPath } from '#api/web/visit/language.ts';
import { AppError } from '#common/errors.ts';
import { isMongoUnavailable } from '#common/platform/mongo/mongo.ts';
import { UnknownCommitError } from '#common/platform/mongo/transaction.ts';
import { StoreUnavailableError } from '#common/platform/s3/object-store-errors.ts';
import { errorPage } from '../design/error-page.ts';
import { textsOf } from '../texts/texts.ts';

/** The error pages of the web host with their statuses. Their texts have the same keys. */
const webErrors = {
  BAD_FORM: 400,
  FORBIDDEN: 403,
  CSRF_CHECK_FAILED: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  UNSUPPORTED_MEDIA_TYPE: 415,
  RATE_LIMITED: 429,
  INTERNAL_ERROR: 500,
  SERVICE_UNAVAILABLE: 503,
} as const;
export type WebErrorCode = keyof typeof webErrors;

/** An error that is shown as an error page, with its response headers. */
export class WebError extends Error {
  override readonly name = 'WebError';
  readonly code: WebErrorCode;
  readonly headers: Record<string, string>;

  constructor(code: WebErrorCode, headers: Record<string, string> = {}) {
    super(code);
    this.code = code;
    this.headers = headers;
  }
}

/** Sends every error as a page, in the language of the URL. Mounted last. The cause is logged and never shown. */
export const webErrorHandler: ErrorRequestHandler = async (error: unknown, request, response, _next) => {
  if (isClientDisconnect(error, response)) return;
  const { log, requestId } = stateOf(request);
  if (response.headersSent) {
    // Part of the response is already sent. Abort, or the client would take the part for the whole.
    log.error({ err: error }, 'response aborted');
    response.destroy();
    return;
  }
  const { code, headers } = toWebError(error);
  const status = webErrors[code];
  if (status >= 500) log.error({ err: error, code }, 'page failed');
  const language = splitPath(request.originalUrl.split('?')[0] ?? '/').language ?? readAcceptedLanguage(request);
  const page = errorPage({ language, texts: textsOf(language), code, requestId });

  response
    .status(status)
    .set({ ...headers, 'Content-Language': language })
    .type('html')
    .send(String(await page));
};

/** Error pages for errors from `common`. */
const sameMeaning: Partial<Record<AppError['code'], WebErrorCode>> = {
  NOT_FOUND: 'NOT_FOUND',
  FORBIDDEN: 'FORBIDDEN',
  VALIDATION_ERROR: 'NOT_FOUND',
  RATE_LIMITED: 'RATE_LIMITED',
  SERVICE_UNAVAILABLE: 'SERVICE_UNAVAILABLE',
};

function toWebError(error: unknown): WebError {
  if (error instanceof WebError) return error;
  if (error instanceof AppError) {
    const { retryAfterS } = error;
    const headers = retryAfterS === undefined ? {} : { 'Retry-After': String(retryAfterS) };
    return new WebError(sameMeaning[error.code] ?? 'INTERNAL_ERROR', headers);
  }
  // The router could not decode the path.
  if (error instanceof URIError || (error as { status?: number } | null)?.status === 400) {
    return new WebError('NOT_FOUND');
  }
  const isTemporary =
    isMongoUnavailable(error) || error instanceof UnknownCommitError || error instanceof StoreUnavailableError;
  return new WebError(isTemporary ? 'SERVICE_UNAVAILABLE' : 'INTERNAL_ERROR');
}
