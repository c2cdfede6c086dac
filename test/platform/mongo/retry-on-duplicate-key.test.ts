// Level: unit
import mongoose from 'mongoose';
import { retryOnDuplicateKey } from '#common/platform/mongo/retry-on-duplicate-key.ts';
import { describe, expect, test } from '#test/support/jest.ts';

const duplicateKey = () => new mongoose.mongo.MongoServerError({ code: 11_000, errmsg: 'E11000 duplicate key' });

describe('a write that a unique index may refuse', () => {
  /** Refuses the first `refusals` attempts. Returns the result or the error, and the attempts. */
  async function run(refusals: number, maxAttempts?: number, error: () => Error = duplicateKey) {
    const attempts: number[] = [];
    const work = async (attempt: number) => {
      attempts.push(attempt);
      if (attempt <= refusals) throw error();
      return 'written';
    };
    const result = await retryOnDuplicateKey(work, maxAttempts).catch((thrown: Error) => thrown.message);
    return { result, attempts };
  }

  test('is written once when nothing refuses it', async () => {
    expect(await run(0)).toEqual({ result: 'written', attempts: [1] });
  });

  test.each([
    { refusals: 2, maxAttempts: undefined, attempts: [1, 2, 3] },
    { refusals: 3, maxAttempts: 4, attempts: [1, 2, 3, 4] },
  ])('succeeds at the last of $attempts.length attempts', async ({ refusals, maxAttempts, attempts }) => {
    expect(await run(refusals, maxAttempts)).toEqual({ result: 'written', attempts });
  });

  test.each([
    { maxAttempts: undefined, attempts: [1, 2, 3] },
    { maxAttempts: 1, attempts: [1] },
  ])('fails with the duplicate key after $attempts.length attempts', async ({ maxAttempts, attempts }) => {
    expect(await run(9, maxAttempts)).toEqual({ result: 'E11000 duplicate key', attempts });
  });

  test('fails at once with any other error', async () => {
    const timeout = () => new mongoose.mongo.MongoServerError({ code: 50, errmsg: 'exceeded time limit' });
    expect(await run(1, 3, timeout)).toEqual({ result: 'exceeded time limit', attempts: [1] });
    expect((await run(1, 3, () => new Error('11000'))).attempts).toEqual([1]);
  });
});
