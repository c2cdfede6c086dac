import type { OperationId } from '../api/types.ts';
import { BluejayError, ConnectionError } from '../errors.ts';

const firstDelayMs = 500;
const maxDelayMs = 8_000;
/** A longer `Retry-After` is not waited for: the error is thrown, with its `retryAfterMs`. */
const maxRetryAfterMs = 60_000;

const temporaryStatuses: readonly (number | null)[] = [429, 502, 503, 504];

/**
 * Requests that may run twice: they read, compute, set fields, or prepare an upload that nobody has to use. A POST that
 * is not listed runs again only with an `externalId` or an `Idempotency-Key`.
 */
const repeatable: ReadonlySet<OperationId> = new Set<OperationId>([
  'createQuote',
  'createUpload',
  'createBulkUpload',
  'createPreflight',
  'previewTemplate',
  'changeMail',
  'changeAddress',
  'changeWebhook',
]);

export type Repeatability = { id: OperationId; method: string; isKeyed: boolean };

/** Returns whether a request whose answer was lost may be sent again. */
export function isRepeatable({ id, method, isKeyed }: Repeatability): boolean {
  return method === 'GET' || method === 'DELETE' || isKeyed || repeatable.has(id);
}

/**
 * Returns how long to wait before the next attempt in ms: what `Retry-After` says, and a random time of at most 0.5 s,
 * doubled with each attempt up to 8 s ("full jitter"), so that clients told the same time do not come at once. Returns
 * null when another attempt cannot help or is not safe.
 */
export function delayBeforeRetry(
  error: unknown,
  { tries, mayRepeat, random = Math.random }: { tries: number; mayRepeat: boolean; random?: () => number },
): number | null {
  if (!(error instanceof BluejayError)) return null;
  const isLost = error instanceof ConnectionError;
  if (!isLost && !temporaryStatuses.includes(error.status)) return null;
  // Only a new tariff helps.
  if (error.code === 'PRICING_UNAVAILABLE') return null;
  // A request beyond the rate limit was not processed, so every request may be repeated after a 429.
  if (!mayRepeat && error.status !== 429) return null;
  const jitterMs = random() * Math.min(maxDelayMs, firstDelayMs * 2 ** tries);
  const toldMs = error.retryAfterMs ?? 0;
  return toldMs > maxRetryAfterMs ? null : toldMs + jitterMs;
}

/** Resolves after `ms`, or rejects with the reason of the signal. */
export function wait(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return void reject(signal.reason);
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}
