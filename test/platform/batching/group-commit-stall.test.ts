import { setImmediate as nextLoop, setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '#common/errors.ts';
import { withTimeout } from '#common/platform/batching/with-timeout.ts';
import { describe, expect, test } from '#test/support/jest.ts';
import { aGroupCommit, pause, settle } from '#test/support/wallet/group-commit.ts';

const timeoutMs = 30;
const never = new Promise<never>(() => {});

describe('a group commit that another transaction blocks', () => {
  test('a blocked key does not delay the commits of other keys', async () => {
    const batches: string[] = [];
    const { promise: isFree, resolve: free } = Promise.withResolvers<void>();
    const commit = async (items: readonly string[], endsAt: number) => {
      batches.push(items.join());
      await settle();
      if (!items.some((item) => item.startsWith('held'))) return items;
      const isLate = await Promise.race([isFree, pause(endsAt - performance.now()).then(() => true)]);
      if (isLate) throw new AppError('SERVICE_UNAVAILABLE', { retryAfterS: 1 });
      return items;
    };
    const { add, drain } = aGroupCommit({ commit, stallTimeoutMs: 50 });

    void add('first');
    const held = ['held 1', 'held 2'].map(add);
    const others = ['a', 'b', 'b2'].map(add);
    expect(await Promise.all(others)).toEqual(['a', 'b', 'b2']);
    const heldLater = add('held 3');
    expect(await add('c')).toBe('c');

    free();
    expect(await Promise.all([...held, heldLater])).toEqual(['held 1', 'held 2', 'held 3']);
    expect(batches.slice(0, 2)).toEqual(['first', 'held 1,held 2,a,b,b2']);
    expect(batches.slice(2, 5).sort()).toEqual(['a', 'b,b2', 'held 1,held 2']);
    expect(batches.slice(5)).toEqual(['c', 'held 3']);
    await drain();
  });

  test('an item whose key stays blocked is refused in time, and no other item waits for it', async () => {
    const commit = async (items: readonly string[], endsAt: number) => {
      if (!items.some((item) => item.startsWith('held'))) return items;
      await pause(endsAt - performance.now() + 5);
      throw new AppError('SERVICE_UNAVAILABLE', { retryAfterS: 1 });
    };
    const { add } = aGroupCommit({ commit, stallTimeoutMs: 20, maxWaitMs: 2_000 });
    const held = add('held').then(
      () => 'done',
      () => 'refused',
    );
    expect(await Promise.race([held, add('a')])).toBe('a');
    expect(await held).toBe('refused');
  });

  test('commits continue beside a stalled exclusive task, and drain waits for it', async () => {
    const { add, runExclusive, drain } = aGroupCommit({ stallTimeoutMs: 20 });
    const { promise: held, resolve: release } = Promise.withResolvers<string>();
    const work = runExclusive(() => held);

    const outcome = await add('a');

    expect(outcome).toBe('a!');
    const drained = drain().then(() => 'drained');
    expect(await Promise.race([drained, settle()])).toBeUndefined();
    release('late');
    expect(await Promise.all([work, drained])).toEqual(['late', 'drained']);
  });
});

describe('a promise with a time limit', () => {
  test.each([0, timeoutMs])('work that ends within %d ms gives its result and leaves no timer', async (limitMs) => {
    const called: string[] = [];
    expect(await withTimeout(Promise.resolve('done'), limitMs, () => called.push('late'))).toBe('done');
    // Timers of equal length fire in order, so a timer that is left would fire before this one.
    await sleep(limitMs);
    expect(called).toEqual([]);
  });

  test('work that fails in time throws its own error and leaves no timer', async () => {
    const called: string[] = [];
    const failing = Promise.reject(new Error('broken'));
    await expect(withTimeout(failing, timeoutMs, () => called.push('late'))).rejects.toThrow('broken');
    await sleep(timeoutMs);
    expect(called).toEqual([]);
  });

  const limits = [0, timeoutMs];
  test.each(limits)('work that takes longer than %d ms gives the result of the timeout then', async (limitMs) => {
    const startedMs = performance.now();
    expect(await withTimeout(never, limitMs, async () => 'late')).toBe('late');
    // Node's timers fire up to 1 ms early.
    expect(performance.now() - startedMs).toBeGreaterThanOrEqual(limitMs - 1);
  });

  test('a timeout may throw', async () => {
    const tooLate = () => {
      throw new Error('too late');
    };
    await expect(withTimeout(never, timeoutMs, tooLate)).rejects.toThrow('too late');
  });

  test('work that fails after its timeout ends neither the caller nor the process', async () => {
    const unhandled: unknown[] = [];
    const note = (error: unknown) => unhandled.push(error);
    process.on('unhandledRejection', note);
    const { promise, reject } = Promise.withResolvers<never>();
    expect(await withTimeout(promise, 0, () => 'late')).toBe('late');
    reject(new Error('broken'));
    await nextLoop();
    process.off('unhandledRejection', note);
    expect(unhandled).toEqual([]);
  });
});
