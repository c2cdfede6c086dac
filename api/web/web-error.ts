import type { ErrorRequestHandler } from 'express';
import { isMongoAway } from '../../common/platform/mongo.ts';
import { stateOf } from '../request-state.ts';
import { sendPage } from './send-page.ts';
import { messagePage } from './views/message-page.ts';

/** Every failure that a page of the web host can show. */
const webErrors = {
  UNAUTHORIZED: {
    status: 401,
    title: 'Sign in',
    message: 'Give the e-mail address and the password of an administrator.',
  },
  FORBIDDEN: {
    status: 403,
    title: 'For administrators only',
    message: 'You are signed in as a user who is no administrator of this installation.',
  },
  NOT_FOUND: { status: 404, title: 'Not found', message: 'There is no page at this address.' },
  METHOD_NOT_ALLOWED: { status: 405, title: 'Not allowed', message: 'Nothing can be changed here, only looked at.' },
  RATE_LIMITED: {
    status: 429,
    title: 'Too many attempts',
    message: 'Sign-in failed too often from your address. Wait a minute, then try again.',
  },
  INTERNAL_ERROR: { status: 500, title: 'Something went wrong', message: 'The fault is on our side. Try again.' },
  SERVICE_UNAVAILABLE: {
    status: 503,
    title: 'Not available right now',
    message: 'The database does not answer. Try again in a moment.',
  },
} as const;

/** A failure that the visitor is told about, with the headers that go with it. */
export class WebError extends Error {
  override readonly name = 'WebError';
  readonly code: keyof typeof webErrors;
  readonly headers: Record<string, string>;

  constructor(code: keyof typeof webErrors, headers: Record<string, string> = {}) {
    super(webErrors[code].message);
    this.code = code;
    this.headers = headers;
  }
}

/** The last of the web host: every failure as a page. A cause is logged, never shown. */
export const webErrorHandler: ErrorRequestHandler = async (error: unknown, request, response, next) => {
  if (response.headersSent) return next(error);
  const { code, headers } = toWebError(error);
  const { status, title, message } = webErrors[code];
  if (status >= 500) stateOf(request).log.error({ err: error, code }, 'page failed');

  response.set(headers);
  await sendPage(response, status, messagePage({ title, message }));
};

function toWebError(error: unknown): WebError {
  if (error instanceof WebError) return error;
  // The router could not decode the path.
  if (error instanceof URIError || (error as { status?: number } | null)?.status === 400) {
    return new WebError('NOT_FOUND');
  }
  return new WebError(isMongoAway(error) ? 'SERVICE_UNAVAILABLE' : 'INTERNAL_ERROR');
}
