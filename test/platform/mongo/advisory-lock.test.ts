import { randomUUID } from 'node:crypto';
import { type AdvisoryLock, createAdvisoryLock } from '#common/platform/mongo/advisory-lock.ts';
import { describe, eventually, expect, leastOfThree, test } from '#test/support/jest.ts';
import { startWorld } from '#test/support/product/world.ts';

/** As long as a commit: a waiting process polls several times meanwhile, and so has the ticket at the release. */
const commitMs = 15;

describe('the advisory lock between processes', () => {
  startWorld();

  /** Runs `rounds` per process under contention. Returns the order of the holders, and how many rounds overlapped. */
  async function contend(processes: AdvisoryLock[], rounds: number) {
    const order: number[] = [];
    let busy = 0;
    let overlaps = 0;
    const run = async (lock: AdvisoryLock, n: number) => {
      for (let round = 0; round < rounds; round += 1) {
        lock.noteConflict();
        await lock.acquire();
        if (busy > 0) overlaps += 1;
        busy += 1;
        order.push(n);
        await new Promise((resolve) => setTimeout(resolve, commitMs));
        busy -= 1;
        lock.release();
      }
    };
    await Promise.all(processes.map(run));
    return { order, overlaps };
  }

  test('without contention there is nothing to wait for', () => {
    expect(createAdvisoryLock('alone').acquire()).toBeUndefined();
  });

  test('two busy processes hold the lock alternately', async () => {
    const { order, overlaps } = await contend([createAdvisoryLock('both'), createAdvisoryLock('both')], 20);
    // A process that is paused for longer than the lock's hold time loses it. That is rare, and no fault.
    expect(overlaps).toBeLessThanOrEqual(4);
    const changes = order.filter((n, index) => index > 0 && n !== order[index - 1]).length;
    expect(changes).toBeGreaterThanOrEqual(20);
  });

  test('a holder that dies delays the next process by less than a second', async () => {
    const waitForDead = async () => {
      const name = randomUUID();
      const [dead, living] = [createAdvisoryLock(name), createAdvisoryLock(name)];
      dead.noteConflict();
      await dead.acquire();
      living.noteConflict();
      const startedMs = performance.now();
      await living.acquire();
      return performance.now() - startedMs;
    };
    expect(await leastOfThree(waitForDead, 1_000)).toBeLessThan(1_000);
  });

  test('locks with different names are independent', async () => {
    const { overlaps } = await contend([createAdvisoryLock('this'), createAdvisoryLock('that')], 20);
    expect(overlaps).toBeGreaterThan(0);
  });

  test('a lock that was never released expires for its own process too', async () => {
    const lock = createAdvisoryLock('forgotten');
    lock.noteConflict();
    await lock.acquire();
    expect(lock.acquire()).toBeUndefined();
    const isExpired = () => {
      lock.noteConflict();
      expect(lock.acquire()).toBeInstanceOf(Promise);
    };
    await eventually(isExpired);
  });
});
