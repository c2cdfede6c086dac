/** A problem of a request: where it is, as field names and array indexes, and what is wrong. */
export type Issue = { path: (string | number)[]; message: string };

export type ErrorFields = {
  code: string;
  message: string;
  status?: number | null;
  issues?: readonly Issue[];
  requestId?: string | null;
  retryAfterMs?: number | null;
  docsUrl?: string | null;
};

/** Any failure of the API or of the way to it. Decide by its class or by `code`; `message` is for developers. */
export class BluejayError extends Error {
  /** The code of the API, or `TIMEOUT`, `CONNECTION_ERROR`, `INVALID_ANSWER`. More codes may be added. */
  readonly code: string;
  /** The HTTP status. Null when there was no answer. */
  readonly status: number | null;
  /** With `VALIDATION_ERROR`: all problems of the request. */
  readonly issues: readonly Issue[];
  /** Quote it when you contact support. Null when there was no answer. */
  readonly requestId: string | null;
  /** What `Retry-After` said, in ms. */
  readonly retryAfterMs: number | null;
  /** The page that explains the code, where the API names one. */
  readonly docsUrl: string | null;

  constructor({
    code,
    message,
    status = null,
    issues = [],
    requestId = null,
    retryAfterMs = null,
    docsUrl = null,
  }: ErrorFields) {
    super(message);
    this.name = new.target.name;
    this.code = code;
    this.status = status;
    this.issues = issues;
    this.requestId = requestId;
    this.retryAfterMs = retryAfterMs;
    this.docsUrl = docsUrl;
  }
}

/** The request itself is wrong: 400, 405, 413, 415. A repeat has the same result. */
export class InvalidRequestError extends BluejayError {}
/** The API key or access token is missing or invalid: 401. */
export class AuthenticationError extends BluejayError {}
/** The wallet cannot pay: 402. */
export class InsufficientFundsError extends BluejayError {}
/** The credential lacks a scope or has the wrong mode: 403. */
export class PermissionError extends BluejayError {}
/** There is no such resource: 404. */
export class NotFoundError extends BluejayError {}
/** The state of the resource does not allow the request: 409. */
export class ConflictError extends BluejayError {}
/** Too many requests: 429. */
export class RateLimitError extends BluejayError {}
/** The API failed or is temporarily unavailable: 5xx. */
export class ServerError extends BluejayError {}
/** There was no answer in time, or none at all. A letter may have been sent nevertheless. */
export class ConnectionError extends BluejayError {}
/** A webhook delivery is not genuine or too old. Answer it with 401 and do not process it. */
export class WebhookVerificationError extends BluejayError {}
/** The answer of an OAuth route. `code` is the `error` of RFC 6749, for instance `invalid_grant`. */
export class OAuthError extends BluejayError {}

const classes: Record<number, new (fields: ErrorFields) => BluejayError> = {
  401: AuthenticationError,
  402: InsufficientFundsError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  429: RateLimitError,
};

/** Creates the error of an answer from its status and body. */
export function createApiError(response: Response, body: unknown): BluejayError {
  const { status } = response;
  const { code, message, issues, docsUrl } = (
    typeof body === 'object' && body !== null ? body : {}
  ) as Partial<ErrorFields>;
  const Class = classes[status] ?? (status >= 500 ? ServerError : InvalidRequestError);
  return new Class({
    code: typeof code === 'string' ? code : `HTTP_${status}`,
    message: typeof message === 'string' ? message : `The answer was ${status} without an explanation.`,
    status,
    issues: Array.isArray(issues) ? issues : [],
    requestId: response.headers.get('x-request-id'),
    retryAfterMs: readRetryAfterMs(response.headers.get('retry-after')),
    docsUrl: typeof docsUrl === 'string' ? docsUrl : null,
  });
}

/** Returns the delay of a `Retry-After` header, seconds or an HTTP date, in ms. Null when it is neither. */
export function readRetryAfterMs(value: string | null, nowMs = Date.now()): number | null {
  if (value === null) return null;
  const text = value.trim();
  if (/^\d+$/.test(text)) return Number(text) * 1_000;
  const atMs = Date.parse(text);
  return Number.isNaN(atMs) ? null : Math.max(0, atMs - nowMs);
}
