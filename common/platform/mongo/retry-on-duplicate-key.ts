import { isDuplicateKey } from './mongo.ts';

/** Enough for an upsert that another process overtakes: the repeat finds the row. */
const defaultAttempts = 3;

/**
 * Runs `work` again, at most `maxAttempts` times in all, while a unique index refuses its write because another process
 * wrote the same key first. Returns its result. Throws every other error, and the last duplicate key error. `attempt`
 * counts from 1.
 */
export async function retryOnDuplicateKey<Result>(
  work: (attempt: number) => Promise<Result>,
  maxAttempts = defaultAttempts,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work(attempt);
    } catch (error) {
      if (!isDuplicateKey(error) || attempt >= maxAttempts) throw error;
    }
  }
}
