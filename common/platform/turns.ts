import { AppError } from '../errors.ts';

/** Runs work one after the other where it has the same key, and at once where it has not. */
export type Turns = {
  /**
   * The outcome of `work`, whose turn may come later. Throws SERVICE_UNAVAILABLE, with nothing done, when too much is
   * waiting already, or when the turn comes so late that its caller has given up.
   */
  take<T>(key: string, work: () => Promise<T>): Promise<T>;
};

/**
 * For transactions that all write one document: side by side they would abort each other, again and again, until their
 * deadlines; one after the other each gets through at its first try. Holds within this process; between processes the
 * database decides. `maxWaiting` counts all keys together, with the work that has begun.
 */
export function createTurns({ maxWaiting, maxWaitMs }: { maxWaiting: number; maxWaitMs: number }): Turns {
  const lastOf = new Map<string, Promise<unknown>>();
  let waiting = 0;

  return {
    async take(key, work) {
      if (waiting >= maxWaiting) throw new AppError('SERVICE_UNAVAILABLE', { retryAfterS: 1 });
      waiting += 1;
      const endsAt = performance.now() + maxWaitMs;
      const mine = (lastOf.get(key) ?? Promise.resolve()).then(() => {
        if (performance.now() >= endsAt) throw new AppError('SERVICE_UNAVAILABLE', { retryAfterS: 1 });
        return work();
      });
      // However mine ends, the next one begins.
      const ended = mine.then(
        () => undefined,
        () => undefined,
      );
      lastOf.set(key, ended);
      try {
        return await mine;
      } finally {
        waiting -= 1;
        if (lastOf.get(key) === ended) lastOf.delete(key);
      }
    },
  };
}
