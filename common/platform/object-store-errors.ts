/** The object changed since its ETag was read: it must not be used. */
export class ObjectChangedError extends Error {
  override readonly name = 'ObjectChangedError';

  constructor(key: string) {
    super(`The object ${key} is no longer the one that was checked.`);
  }
}

/** There is no object under this key. */
export class ObjectMissingError extends Error {
  override readonly name = 'ObjectMissingError';

  constructor(key: string) {
    super(`There is no object ${key}.`);
  }
}

/** The object is larger than the caller was ready to take; nothing of it was kept. */
export class ObjectTooLargeError extends Error {
  override readonly name = 'ObjectTooLargeError';

  constructor(key: string, maxBytes: number) {
    super(`The object ${key} is larger than ${maxBytes} bytes.`);
  }
}

/** The store is away, refuses us or answers nonsense: try again later. `cause` says which, for the log. */
export class StoreUnavailableError extends Error {
  override readonly name = 'StoreUnavailableError';

  constructor(action: string, cause: unknown) {
    super(`The object store failed to ${action} (${reasonOf(cause)}).`, { cause });
  }
}

/** The HTTP status that an SDK error carries; undefined when no answer came. */
export function httpStatusOf(error: unknown): number | undefined {
  const metadata = (error as { $metadata?: { httpStatusCode?: unknown } } | null)?.$metadata;
  return typeof metadata?.httpStatusCode === 'number' ? metadata.httpStatusCode : undefined;
}

/** The cause of a StoreUnavailableError when the store did answer, in the form in which the SDK tells it. */
export function answerCause(status: number): Error {
  return Object.assign(new Error(`The store answered ${status}.`), { $metadata: { httpStatusCode: status } });
}

/** A short reason: HTTP status, system error code or error name; never a whole message, which may hold addresses. */
function reasonOf(cause: unknown): string {
  const status = httpStatusOf(cause);
  const { code, name } = (cause ?? {}) as { code?: unknown; name?: unknown };
  const word = [code, name].find((candidate) => typeof candidate === 'string' && candidate !== 'Error');
  return [status && `HTTP ${status}`, word].filter(Boolean).join(', ') || 'no reason given';
}
