// Level: push
import { createAdvisoryLock } from '#common/platform/mongo/advisory-lock.ts';
import { rowsOf } from '#common/platform/mongo/mongo.ts';
import { describe, eventually, expect, test } from '#test/support/jest.ts';
import { startWorld } from '#test/support/product/world.ts';
import { useStandingTime } from '#test/support/standing-time.ts';

/** So long that no pause of this process ends them. */
const endless = { holdMs: 3_600_000, ticketMs: 3_600_000, maxWaitMs: 3_600_000 };

describe('the advisory lock between processes', () => {
  startWorld();
  const { run, advance } = useStandingTime();

  const stored = (name: string) => rowsOf<{ _id: string; until: Date; next: string }>('leases').findOne({ _id: name });
  /** Waits until a process has asked in vain, and so is next. */
  const untilOneWaits = (name: string) => eventually(async () => expect((await stored(name))?.next).toMatch(/./));

  test('without contention there is nothing to wait for', () => {
    expect(createAdvisoryLock('alone').acquire()).toBeUndefined();
  });

  test('two busy processes hold the lock alternately, one at a time', async () => {
    const order: string[] = [];
    const start = (name: string) => {
      const lock = createAdvisoryLock('both', endless);
      const acquire = async () => {
        lock.noteConflict();
        await lock.acquire();
        order.push(name);
      };
      return { acquire, release: lock.release };
    };
    let [holder, next] = [start('a'), start('b')];
    await holder.acquire();
    let waiting = next.acquire();
    for (let held = 1; held <= 6; held += 1) {
      await untilOneWaits('both');
      expect(order).toHaveLength(held);
      holder.release();
      const again = holder.acquire();
      await waiting;
      [holder, next, waiting] = [next, holder, again];
    }
    holder.release();
    await waiting;
    expect(order.join('')).toBe('abababab');
  });

  test('a lock of a holder that died expires 300 ms after it was acquired', async () => {
    const dead = createAdvisoryLock('dead');
    dead.noteConflict();
    const beforeMs = Date.now();
    await dead.acquire();
    const afterMs = Date.now();
    const acquiredMs = ((await stored('dead'))?.until.getTime() ?? 0) - 300;
    expect([acquiredMs >= beforeMs, acquiredMs <= afterMs]).toEqual([true, true]);
  });

  test('a process waits for a holder that does not release the lock for at most 250 ms', async () => {
    const [holder, other] = [createAdvisoryLock('held', endless), createAdvisoryLock('held')];
    holder.noteConflict();
    await holder.acquire();
    let isOver = false;
    const waiting = run(async () => {
      other.noteConflict();
      await other.acquire();
      isOver = true;
    });
    await untilOneWaits('held');
    await advance(249);
    expect(isOver).toBe(false);
    await advance(1);
    await waiting;
  });

  test('locks with different names are independent', async () => {
    for (const name of ['this', 'that']) {
      const lock = createAdvisoryLock(name, { ...endless, maxWaitMs: 0 });
      lock.noteConflict();
      await lock.acquire();
      expect((await stored(name))?.until.getTime()).toBeGreaterThan(Date.now());
    }
  });

  test('a lock that was never released expires for its own process too', async () => {
    const lock = createAdvisoryLock('forgotten');
    const acquire = () =>
      run(() => {
        lock.noteConflict();
        return lock.acquire();
      });
    await acquire();
    await advance(299);
    expect(acquire()).toBeUndefined();
    await advance(1);
    await expect(acquire()).resolves.toBeUndefined();
  });
});
