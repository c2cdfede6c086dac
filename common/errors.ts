/** Every error a caller can receive. A new code is one new row here and nothing elsewhere. */
export const errorTable = {
  VALIDATION_ERROR: { status: 400, message: 'The request does not fit the schema; see issues.' },
  UNAUTHORIZED: { status: 401, message: 'The API key is missing or invalid.' },
  INSUFFICIENT_FUNDS: {
    status: 402,
    message: 'The wallet balance cannot cover this mailing. Top the wallet up, then send it again.',
  },
  FORBIDDEN: { status: 403, message: 'The credential does not allow this.' },
  NOT_FOUND: { status: 404, message: 'There is no such resource.' },
  METHOD_NOT_ALLOWED: { status: 405, message: 'This address does not take that method; see the Allow header.' },
  CONFLICT: { status: 409, message: 'The resource is not in a state that allows this.' },
  LIMIT_REACHED: { status: 409, message: 'The limit for this kind of resource is reached. Delete one first.' },
  NOT_CANCELLABLE: { status: 409, message: 'This mail job can no longer be cancelled.' },
  PRICE_CHANGED: { status: 409, message: 'The price is now above maxTotalCents. Ask for a new quote.' },
  WEBHOOK_DISABLED: { status: 409, message: 'The webhook is disabled. Enable it first: PATCH with status active.' },
  DELIVERY_IN_FLIGHT: {
    status: 409,
    message: 'The delivery is being sent at this moment. Look at its attempts in a few seconds.',
  },
  IDEMPOTENCY_MISMATCH: { status: 409, message: 'This Idempotency-Key was used with another body.' },
  PAYLOAD_TOO_LARGE: { status: 413, message: 'The body is larger than 1 MiB.' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, message: 'Send the body as application/json.' },
  RATE_LIMITED: { status: 429, message: 'Too many requests. Wait as long as Retry-After says, then try again.' },
  INTERNAL_ERROR: {
    status: 500,
    message: 'Something went wrong on our side. Try again with the same externalId; nothing is sent twice.',
  },
  PRICING_UNAVAILABLE: { status: 503, message: 'No tariff covers this zone and service. Tell the operator.' },
  SERVICE_UNAVAILABLE: {
    status: 503,
    message: 'The service cannot do this right now. Try again after Retry-After, with the same externalId.',
  },
} as const satisfies Record<string, { status: number; message: string }>;

export type ErrorCode = keyof typeof errorTable;

/** One fault of a request: where it is, as a list of field names and indexes, and what to do about it. */
export type Issue = { path: (string | number)[]; message: string };

type AppErrorOptions = { message?: string; issues?: Issue[]; retryAfterS?: number; cause?: unknown };

/** A failure the caller is told about. Anything else that is thrown is a bug and becomes INTERNAL_ERROR. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly issues: Issue[] | undefined;
  /** Whole seconds, at least 1; sent as the Retry-After header. */
  readonly retryAfterS: number | undefined;

  constructor(code: ErrorCode, options: AppErrorOptions = {}) {
    super(options.message ?? errorTable[code].message, { cause: options.cause });
    this.code = code;
    this.issues = options.issues;
    this.retryAfterS = options.retryAfterS;
  }

  get status(): number {
    return errorTable[this.code].status;
  }

  /** The body on the wire: never the cause. */
  toBody(): { code: ErrorCode; message: string; issues?: Issue[] } {
    return { code: this.code, message: this.message, ...(this.issues && { issues: this.issues }) };
  }
}

/** A VALIDATION_ERROR with one issue. */
export function invalid(path: (string | number)[], message: string): AppError {
  return new AppError('VALIDATION_ERROR', { issues: [{ path, message }] });
}
