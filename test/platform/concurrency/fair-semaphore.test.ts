// Level: unit
import { setImmediate as nextLoop } from 'node:timers/promises';
import type { Owner } from '#common/modes.ts';
import { createFairSemaphore, SemaphoreFullError, withPermit } from '#common/platform/concurrency/fair-semaphore.ts';
import { describe, expect, test } from '#test/support/jest.ts';
import { createRandom } from '#test/support/random.ts';

const live = (organizationId: string): Owner => ({ organizationId, mode: 'live' });
const sandbox = (organizationId: string): Owner => ({ organizationId, mode: 'test' });

describe('permits that organizations share', () => {
  const { signal } = new AbortController();

  /** Lets `owners` wait in order, then releases one permit after the other. Returns the order of the grants. */
  async function orderOf(held: readonly Owner[], owners: readonly [string, Owner][]): Promise<string[]> {
    const semaphore = createFairSemaphore({ permits: held.length, maxWaiting: 10 });
    for (const owner of held) semaphore.tryAcquire(owner);
    const order: string[] = [];
    const all = owners.map(async ([name, owner]) => {
      await semaphore.acquire(owner, signal);
      order.push(name);
    });
    // No owner releases its permit, so each choice depends on those before.
    for (const owner of held) semaphore.release(owner);
    for (const _ of held) await new Promise(setImmediate);
    expect(order).toHaveLength(Math.min(held.length, owners.length));
    void all;
    return order;
  }

  test('the next permit goes to the organization that holds the fewest', async () => {
    const held = [live('greedy'), live('greedy')];
    expect(
      await orderOf(held, [
        ['one', live('greedy')],
        ['two', live('greedy')],
        ['other', live('modest')],
      ]),
    ).toEqual(['other', 'one']);
  });

  test('an organization with its most permits leaves the free ones to others', async () => {
    const semaphore = createFairSemaphore({ permits: 3, maxPerGroup: 2, maxWaiting: 10 });
    expect([1, 2, 3].map(() => semaphore.tryAcquire(live('greedy')))).toEqual([true, true, false]);
    const order: string[] = [];
    const waits = semaphore.acquire(sandbox('greedy'), signal).then(() => order.push('greedy'));
    expect(semaphore.tryAcquire(live('modest'))).toBe(true);
    const others = semaphore.acquire(live('other'), signal).then(() => order.push('other'));
    semaphore.release(live('modest'));
    await others;
    expect(order).toEqual(['other']);
    semaphore.release(live('greedy'));
    await waits;
    expect(order).toEqual(['other', 'greedy']);
  });

  test('with one permit, organizations alternate', async () => {
    const semaphore = createFairSemaphore({ permits: 1, maxWaiting: 10 });
    semaphore.tryAcquire(live('a'));
    const order: string[] = [];
    const waiting = ['a', 'a', 'b', 'b'].map(async (name) => {
      await semaphore.acquire(live(name), signal);
      order.push(name);
      semaphore.release(live(name));
    });
    semaphore.release(live('a'));
    await Promise.all(waiting);
    expect(order).toEqual(['b', 'a', 'b', 'a']);
  });

  test('among organizations with equally many permits, live work precedes test work', async () => {
    const held = [live('x'), live('y'), live('z')];
    const waiting: [string, Owner][] = [
      ['test', sandbox('a')],
      ['live', live('b')],
      ['later', live('c')],
    ];
    expect(await orderOf(held, waiting)).toEqual(['live', 'later', 'test']);
  });

  test('an organization with more permits sees that one with fewer waits', async () => {
    const semaphore = createFairSemaphore({ permits: 1, maxWaiting: 10 });
    const abort = new AbortController();
    semaphore.tryAcquire(live('a'));
    const waiting = semaphore.acquire(live('b'), abort.signal);
    expect([semaphore.shouldYield(live('a')), semaphore.shouldYield(live('b'))]).toEqual([true, false]);
    abort.abort(new Error('gone'));
    await expect(waiting).rejects.toThrow('gone');
    expect(semaphore.shouldYield(live('a'))).toBe(false);
  });

  test('one organization cannot fill the whole queue', async () => {
    const semaphore = createFairSemaphore({ permits: 0, maxWaiting: 3, maxWaitingPerGroup: 2 });
    void semaphore.acquire(live('a'), signal);
    void semaphore.acquire(live('a'), signal);
    await expect(semaphore.acquire(live('a'), signal)).rejects.toThrow(SemaphoreFullError);
    void semaphore.acquire(live('b'), signal);
    await expect(semaphore.acquire(live('c'), signal)).rejects.toThrow(SemaphoreFullError);
  });

  test('failed work releases its permit, whether it throws or rejects', async () => {
    const semaphore = createFairSemaphore({ permits: 1, maxWaiting: 0 });
    const throwing = () => {
      throw new Error('broken');
    };
    await expect(withPermit(semaphore, 'a', throwing)).rejects.toThrow('broken');
    await expect(withPermit(semaphore, 'a', async () => throwing())).rejects.toThrow('broken');
    expect(await withPermit(semaphore, 'a', async () => 'done')).toBe('done');
  });

  test('work beyond permits and queue is refused, until the queue has room again', async () => {
    const semaphore = createFairSemaphore({ permits: 1, maxWaiting: 1 });
    const { promise: held, resolve: end } = Promise.withResolvers<void>();
    const running = withPermit(semaphore, 'a', () => held);
    const waiting = withPermit(semaphore, 'a', async () => 'waited');
    await expect(withPermit(semaphore, 'b', async () => 'refused')).rejects.toThrow(SemaphoreFullError);
    end();
    await running;
    expect(await waiting).toBe('waited');
    expect(await withPermit(semaphore, 'b', async () => 'accepted')).toBe('accepted');
  });

  test('in any interleaving all permits are used, none is used twice, and none is lost', async () => {
    const { seed, random } = createRandom();
    const permits = 3;
    const semaphore = createFairSemaphore({ permits, maxWaiting: 200 });
    const counts = { running: 0, most: 0, idleWhileWaiting: 0 };
    let waiting = 0;
    const outcomes = Array.from({ length: 200 }, async () => {
      const group = `g${Math.floor(random() * 4)}`;
      const abort = new AbortController();
      for (let ticks = random() * 20; ticks > 1; ticks -= 1) await nextLoop();
      if (random() < 0.2) setImmediate(() => abort.abort());
      waiting += 1;
      const isAcquired = await semaphore.acquire(group, abort.signal).then(
        () => true,
        () => false,
      );
      waiting -= 1;
      if (!isAcquired) return 'aborted';
      counts.running += 1;
      counts.most = Math.max(counts.most, counts.running);
      await nextLoop();
      if (waiting > 0 && counts.running < permits) counts.idleWhileWaiting += 1;
      counts.running -= 1;
      semaphore.release(group);
      return 'done';
    });
    const ended = await Promise.all(outcomes);
    expect({ seed, ...counts }).toEqual({ seed, running: 0, most: permits, idleWhileWaiting: 0 });
    expect(ended.filter((outcome) => outcome === 'done').length).toBeGreaterThan(0);
    for (let permit = 0; permit < permits; permit += 1) expect(semaphore.tryAcquire('last')).toBe(true);
    expect(semaphore.tryAcquire('last')).toBe(false);
  });
});
