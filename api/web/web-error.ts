import type { ErrorRequestHandler } from 'express';
import { AppError } from '../../common/errors.ts';
import { isMongoAway } from '../../common/platform/mongo.ts';
import { stateOf } from '../request-state.ts';
import { readAcceptedLanguage, splitPath } from './language.ts';
import { textsOf } from './texts/texts.ts';
import { errorPage } from './views/error-page.ts';

/** Every failure that a page of the web host can show; what it says is in the texts, under the same name. */
const webErrors = {
  BAD_FORM: 400,
  FORBIDDEN: 403,
  FOREIGN_FORM: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  UNSUPPORTED_MEDIA_TYPE: 415,
  RATE_LIMITED: 429,
  INTERNAL_ERROR: 500,
  SERVICE_UNAVAILABLE: 503,
} as const;
export type WebErrorCode = keyof typeof webErrors;

/** A failure that the visitor is told about, with the headers that go with it. */
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

/** The last of the web host: every failure as a page, in the language of the address. A cause is logged, never shown. */
export const webErrorHandler: ErrorRequestHandler = async (error: unknown, request, response, next) => {
  if (response.headersSent) return next(error);
  const { code, headers } = toWebError(error);
  const status = webErrors[code];
  const { log, requestId } = stateOf(request);
  if (status >= 500) log.error({ err: error, code }, 'page failed');
  const language = splitPath(request.originalUrl.split('?')[0] ?? '/').language ?? readAcceptedLanguage(request);
  const page = errorPage({ language, texts: textsOf(language), code, requestId });

  response
    .status(status)
    .set({ ...headers, 'Content-Language': language })
    .type('html')
    .send(String(await page));
};

/** Domain errors that mean the same to a person. */
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
  return new WebError(isMongoAway(error) ? 'SERVICE_UNAVAILABLE' : 'INTERNAL_ERROR');
}
