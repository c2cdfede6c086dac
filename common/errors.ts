/** Every error a caller can receive, and whether a retry can help (for the guides). A new code is one new row here. */
export const errorTable = {
  VALIDATION_ERROR: {
    status: 400,
    message: 'The request does not fit the schema; see issues.',
    retry: 'no: correct what `issues` names',
  },
  UNAUTHORIZED: {
    status: 401,
    message: 'The API key or access token is missing, unknown, expired or revoked.',
    retry: 'no',
  },
  INSUFFICIENT_FUNDS: {
    status: 402,
    message: 'The wallet balance cannot cover this mailing. Top the wallet up, then send it again.',
    retry: 'after a top-up',
  },
  FORBIDDEN: {
    status: 403,
    message: 'The credential does not allow this.',
    retry: 'no: the credential lacks the scope, or has the wrong mode',
  },
  NOT_FOUND: {
    status: 404,
    message: 'There is no such resource.',
    retry: 'no',
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    message: 'This address does not take that method; see the Allow header.',
    retry: 'no: see `Allow`',
  },
  CONFLICT: {
    status: 409,
    message: 'The resource is not in a state that allows this.',
    retry: 'no: the letter is final, or the status is not ahead',
  },
  LIMIT_REACHED: {
    status: 409,
    message: 'The limit for this kind of resource is reached. Delete one first.',
    retry: 'after deleting one; for storage, after unused uploads were removed; for a full test wallet, no',
  },
  NOT_CANCELLABLE: {
    status: 409,
    message: 'This mail job can no longer be cancelled.',
    retry: 'no',
  },
  PRICE_CHANGED: {
    status: 409,
    message: 'The price is now above maxTotalCents. Ask for a new quote.',
    retry: 'with a new `maxTotalCents`',
  },
  WEBHOOK_DISABLED: {
    status: 409,
    message: 'The webhook is disabled. Enable it first: PATCH with status active.',
    retry: 'after enabling the webhook',
  },
  DELIVERY_IN_FLIGHT: {
    status: 409,
    message: 'The delivery is being sent at this moment. Look at its attempts in a few seconds.',
    retry: 'in a few seconds, if its attempt has failed',
  },
  IDEMPOTENCY_MISMATCH: {
    status: 409,
    message: 'This Idempotency-Key was used with another body.',
    retry: 'no: the key was used with another body',
  },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    message: 'The body is larger than 1 MiB.',
    retry: 'no',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    message: 'Send the body as application/json.',
    retry: 'no',
  },
  RATE_LIMITED: {
    status: 429,
    message: 'Too many requests. Wait as long as Retry-After says, then try again.',
    retry: 'yes, after `Retry-After` seconds',
  },
  INTERNAL_ERROR: {
    status: 500,
    message: 'Something went wrong on our side. Try again with the same externalId; nothing is sent twice.',
    retry: 'yes, with the same `externalId`',
  },
  PRICING_UNAVAILABLE: {
    status: 503,
    message: 'No tariff covers this zone and service. Tell the operator.',
    retry: 'no: the operator has no tariff for this zone and service',
  },
  SERVICE_UNAVAILABLE: {
    status: 503,
    message: 'The service cannot do this right now. Try again after Retry-After, with the same externalId.',
    retry: 'yes, after `Retry-After` seconds, with the same `externalId`',
  },
} as const satisfies Record<string, { status: number; message: string; retry: string }>;

export type ErrorCode = keyof typeof errorTable;

/** All codes, by status. */
export const errorCodes = Object.keys(errorTable) as ErrorCode[];

/** One fault of a request: its path as field names and indexes, and how to fix it. */
export type Issue = { path: (string | number)[]; message: string };

type AppErrorOptions = {
  message?: string;
  issues?: Issue[];
  retryAfterS?: number;
  missingScope?: string;
  cause?: unknown;
};

/** An error reported to the caller. Any other thrown error is a bug and becomes INTERNAL_ERROR. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly issues: Issue[] | undefined;
  /** Whole seconds, at least 1. Sent as the Retry-After header. */
  readonly retryAfterS: number | undefined;
  /** The scope that the credential lacks. Sent in the WWW-Authenticate header. */
  readonly missingScope: string | undefined;

  constructor(code: ErrorCode, options: AppErrorOptions = {}) {
    super(options.message ?? errorTable[code].message, { cause: options.cause });
    this.code = code;
    this.issues = options.issues;
    this.retryAfterS = options.retryAfterS;
    this.missingScope = options.missingScope;
  }

  get status(): number {
    return errorTable[this.code].status;
  }

  /** Returns the response body, without the cause. */
  toBody(): { code: ErrorCode; message: string; issues?: Issue[] } {
    return { code: this.code, message: this.message, ...(this.issues && { issues: this.issues }) };
  }
}

/** Returns whether an error has this code. */
export function hasCode(error: unknown, code: ErrorCode): boolean {
  return error instanceof AppError && error.code === code;
}

/** Creates a NOT_FOUND error. For `orFail`. */
export const notFound = () => new AppError('NOT_FOUND');

/** Creates a CONFLICT error. */
export const conflict = (message: string) => new AppError('CONFLICT', { message });

/** Creates a VALIDATION_ERROR with one issue. */
export function invalid(path: (string | number)[], message: string): AppError {
  return new AppError('VALIDATION_ERROR', { issues: [{ path, message }] });
}
