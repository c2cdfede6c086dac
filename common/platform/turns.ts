import { AppError } from '../errors.ts';

/** Runs work one after the other where it has the same key, and at once where it has not. */
export type Turns = {
  /** The outcome of `work`, whose turn may come later. Throws SERVICE_UNAVAILABLE when too much is waiting already. */
  take<T>(key: string, work: () => Promise<T>): Promise<T>;
};

/**
 * For transactions that all write one document: side by side they would abort each other, again and again, until their
 * deadlines; one after the other each gets through at its first try. Holds within this process; between processes the
 * database decides. `maxWaiting` counts all keys together, with the work that has begun.
 */
export function createTurns({ maxWaiting }: { maxWaiting: number }): Turns {
  const lastOf = new Map<string, Promise<unknown>>();
  let waiting = 0;

  return {
    async take(key, work) {
      if (waiting >= maxWaiting) throw new AppError('SERVICE_UNAVAILABLE', { retryAfterS: 1 });
      waiting += 1;
      const mine = (lastOf.get(key) ?? Promise.resolve()).then(work);
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
