/** The object changed after its ETag was read, so it must not be used. */
export class ObjectChangedError extends Error {
  override readonly name = 'ObjectChangedError';

  constructor(key: string) {
    super(`The object ${key} changed after it was checked.`);
  }
}

export class ObjectMissingError extends Error {
  override readonly name = 'ObjectMissingError';

  constructor(key: string) {
    super(`There is no object ${key}.`);
  }
}

/** The object is larger than the caller's limit. Nothing of it was kept. */
export class ObjectTooLargeError extends Error {
  override readonly name = 'ObjectTooLargeError';

  constructor(key: string, maxBytes: number) {
    super(`The object ${key} is larger than ${maxBytes} bytes.`);
  }
}

/** An answer of the store other than 2xx. `code` is S3's error code, undefined without an XML body. */
export class RefusedError extends Error {
  readonly status: number;
  readonly code: string | undefined;

  constructor(status: number, code: string | undefined) {
    super(`The store answered ${status}.`);
    this.status = status;
    this.code = code;
  }

  /** Whether the same request may succeed in a moment. */
  get isTransient(): boolean {
    return this.status >= 500 || this.status === 429;
  }
}

/** The store is unreachable, refuses access or sent an invalid response. `cause` has the details for the log. */
export class StoreUnavailableError extends Error {
  override readonly name = 'StoreUnavailableError';
  /** The store's answer; undefined when there was none. */
  readonly refusal: RefusedError | undefined;

  constructor(action: string, cause: unknown) {
    const refusal = cause instanceof RefusedError ? cause : undefined;
    const { code, name } = (cause ?? {}) as { code?: unknown; name?: unknown };
    const word = [code, name].find((candidate) => typeof candidate === 'string' && candidate !== 'Error');
    // Never the message of the cause, which may contain addresses.
    const reasons = [refusal && `HTTP ${refusal.status}`, word].filter(Boolean);
    super(`The object store failed to ${action} (${reasons.join(', ') || 'no reason given'}).`, { cause });
    this.refusal = refusal;
  }
}
