// Level: unit
import { setImmediate as nextLoop } from 'node:timers/promises';
import { AppError } from '#common/errors.ts';
import { withTimeout } from '#common/platform/concurrency/with-timeout.ts';
import { describe, expect, test } from '#test/support/jest.ts';
import { useStandingTime } from '#test/support/standing-time.ts';
import { aGroupCommit, settle } from '#test/support/wallet/group-commit.ts';

const timeoutMs = 30;
const never = new Promise<never>(() => {});
const { run, advance } = useStandingTime();

describe('a group commit that another transaction blocks', () => {
  /** Blocks commits with a held item until their end or `isFree`. */
  const commitUnlessHeld =
    (batches: string[], isFree: Promise<unknown> = never) =>
    async (items: readonly string[], endsAt: number) => {
      batches.push(items.join());
      await settle();
      if (!items.some((item) => item.startsWith('held'))) return items;
      await withTimeout(isFree, endsAt - performance.now(), () => {
        throw new AppError('SERVICE_UNAVAILABLE', { retryAfterS: 1 });
      });
      return items;
    };

  test('a blocked key does not delay the commits of other keys', async () => {
    const batches: string[] = [];
    const { promise: isFree, resolve: free } = Promise.withResolvers<void>();
    const group = aGroupCommit({ commit: commitUnlessHeld(batches, isFree), stallTimeoutMs: 50 });
    const add = (item: string) => run(() => group.add(item));

    void add('first');
    const held = ['held 1', 'held 2'].map(add);
    const others = ['a', 'b', 'b2'].map(add);
    await advance(60);
    expect(await Promise.all(others)).toEqual(['a', 'b', 'b2']);
    const heldLater = add('held 3');
    expect(await add('c')).toBe('c');

    free();
    expect(await Promise.all([...held, heldLater])).toEqual(['held 1', 'held 2', 'held 3']);
    expect(batches.slice(0, 2)).toEqual(['first', 'held 1,held 2,a,b,b2']);
    expect(batches.slice(2, 5).sort()).toEqual(['a', 'b,b2', 'held 1,held 2']);
    expect(batches.slice(5)).toEqual(['c', 'held 3']);
    await group.drain();
  });

  test('an item whose key stays blocked is refused in time, and no other item waits for it', async () => {
    const group = aGroupCommit({ commit: commitUnlessHeld([]), stallTimeoutMs: 20, maxWaitMs: 2_000 });
    const add = (item: string) => run(() => group.add(item));
    const outcomes: string[] = [];
    const held = add('held').catch(() => outcomes.push('held is refused'));
    void add('a').then((item) => outcomes.push(item));
    await advance(1_990);
    expect(outcomes).toEqual(['a']);
    await advance(10);
    await held;
    expect(outcomes).toEqual(['a', 'held is refused']);
  });

  test('commits continue beside a stalled exclusive task, and drain waits for it', async () => {
    const { add, runExclusive, drain } = aGroupCommit({ stallTimeoutMs: 20 });
    const { promise: held, resolve: release } = Promise.withResolvers<string>();
    const work = run(() => runExclusive(() => held));
    const outcome = run(() => add('a'));

    await advance(20);

    expect(await outcome).toBe('a!');
    const drained = drain().then(() => 'drained');
    expect(await Promise.race([drained, settle()])).toBeUndefined();
    release('late');
    expect(await Promise.all([work, drained])).toEqual(['late', 'drained']);
  });
});

describe('a promise with a time limit', () => {
  const limits = [0, timeoutMs];
  test.each(limits)('work that ends within %d ms gives its result and leaves no timer', async (limitMs) => {
    const called: string[] = [];
    const limited = run(() => withTimeout(Promise.resolve('done'), limitMs, () => called.push('late')));
    expect(await limited).toBe('done');
    await advance(limitMs + 1);
    expect(called).toEqual([]);
  });

  test('work that fails in time throws its own error and leaves no timer', async () => {
    const called: string[] = [];
    const failing = Promise.reject(new Error('broken'));
    await expect(run(() => withTimeout(failing, timeoutMs, () => called.push('late')))).rejects.toThrow('broken');
    await advance(timeoutMs);
    expect(called).toEqual([]);
  });

  test.each(limits)('work that takes longer than %d ms gives the result of the timeout then', async (limitMs) => {
    const called: string[] = [];
    const late = run(() => withTimeout(never, limitMs, async () => called.push('late')));
    await advance(limitMs - 1);
    expect(called).toEqual([]);
    await advance(1);
    expect(await late).toBe(1);
  });

  test('a timeout may throw', async () => {
    const tooLate = () => {
      throw new Error('too late');
    };
    await expect(withTimeout(never, 0, tooLate)).rejects.toThrow('too late');
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
