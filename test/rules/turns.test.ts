import { describe, expect, test } from '@jest/globals';
import { createTurns } from '../../common/platform/turns.ts';

/** Work that a test ends when it likes. */
function openWork() {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const run = () => {
    work.hasBegun = true;
    return promise;
  };
  const work = { hasBegun: false, end: resolve, fail: reject, run };
  return work;
}
const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('turns', () => {
  test('given work of one key under way, when more comes, then it begins when the first has ended, in order', async () => {
    // given
    const turns = createTurns({ maxWaiting: 10, maxWaitMs: 5_000 });
    const [first, second, third] = [openWork(), openWork(), openWork()];
    // when
    const outcomes = [first, second, third].map(({ run }) => turns.take('a', run));
    await settle();
    // then
    expect([first, second, third].map(({ hasBegun }) => hasBegun)).toEqual([true, false, false]);
    first.end('one');
    await settle();
    expect([second, third].map(({ hasBegun }) => hasBegun)).toEqual([true, false]);
    second.end('two');
    third.end('three');
    expect(await Promise.all(outcomes)).toEqual(['one', 'two', 'three']);
  });

  test('given work of one key under way, when another key comes, then it does not wait', async () => {
    const turns = createTurns({ maxWaiting: 10, maxWaitMs: 5_000 });
    const [slow, quick] = [openWork(), openWork()];
    const waiting = turns.take('slow', slow.run);
    quick.end('done');
    expect(await turns.take('quick', quick.run)).toBe('done');
    slow.end('at last');
    expect(await waiting).toBe('at last');
  });

  test('given work that fails, when its turn is over, then its caller is told and the next one begins', async () => {
    const turns = createTurns({ maxWaiting: 10, maxWaitMs: 5_000 });
    const bad = openWork();
    const failed = turns.take('a', bad.run);
    const next = turns.take('a', async () => 'fine');
    bad.fail(new Error('broken'));
    await expect(failed).rejects.toThrow('broken');
    expect(await next).toBe('fine');
  });

  test('given as much work as may wait, when one more comes, then SERVICE_UNAVAILABLE until some has ended', async () => {
    const turns = createTurns({ maxWaiting: 2, maxWaitMs: 5_000 });
    const [first, second] = [openWork(), openWork()];
    const outcomes = [turns.take('a', first.run), turns.take('b', second.run)];
    const refused = { code: 'SERVICE_UNAVAILABLE', retryAfterS: 1 };
    await expect(turns.take('c', async () => 'no')).rejects.toMatchObject(refused);
    first.end('done');
    await outcomes[0];
    expect(await turns.take('c', async () => 'yes')).toBe('yes');
    second.end('done');
    await outcomes[1];
  });
});
