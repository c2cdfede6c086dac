import { Chore, choreWork, planChore } from '#common/platform/due-work/chore.model.ts';
import { createLog } from '#common/platform/process/log.ts';
import { startWatchdog } from '#workers/watchdog.ts';
import { afterEach, beforeEach, describe, eventually, expect, standingClock, test } from '../support/jest.ts';
import { startWorld } from '../support/product/world.ts';

describe('a stalled worker', () => {
  startWorld({ hasTariffs: false });
  const clock = standingClock();
  const stallTimeoutMs = 50;
  let watchdog: { close(): void } | undefined;
  let restarts = 0;
  /** Checks of a worker that has picked nothing for longer than the timeout. */
  let lateChecks = 0;
  const reasons: string[] = [];
  let hasRoom = true;
  let ping = async () => {};

  beforeEach(async () => {
    [restarts, lateChecks, hasRoom, ping] = [0, 0, true, async () => {}];
    reasons.length = 0;
    await Chore.deleteMany({});
  });
  afterEach(() => watchdog?.close());

  function watch(): void {
    let pickedMs = performance.now();
    watchdog = startWatchdog({
      workers: [
        {
          queue: 'cleanup',
          hasRoom: () => {
            if (performance.now() - pickedMs >= stallTimeoutMs) lateChecks += 1;
            return hasRoom;
          },
          lastPickMs: () => pickedMs,
          restart: () => {
            restarts += 1;
            pickedMs = performance.now();
          },
          close: async () => {},
        },
      ],
      slots: [choreWork],
      redis: { ping: () => ping() },
      clock,
      log: createLog('test', 'silent'),
      onStalled: (reason) => void reasons.push(reason),
      stallTimeoutMs,
      checkIntervalMs: 10,
    });
  }
  const planOverdue = () => planChore('sweep', new Date(clock.now().getTime() - 10 * stallTimeoutMs));

  test('a worker that ignores overdue work is restarted once, then reported as stalled', async () => {
    await planOverdue();
    watch();
    await eventually(() => expect(restarts).toBe(1), { withinMs: 5_000 });
    await eventually(() => expect(reasons[0]).toMatch(/cleanup/), { withinMs: 5_000 });
    expect(restarts).toBe(1);
  });

  test('a worker is not restarted by a check that was under way when the watchdog was closed', async () => {
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
    let pings = 0;
    ping = async () => {
      pings += 1;
      await answered;
    };
    await planOverdue();
    watch();
    await eventually(() => expect(pings).toBe(1), { withinMs: 5_000 });
    watchdog?.close();
    answer();
    await new Promise(setImmediate);
    expect([restarts, reasons]).toEqual([0, []]);
  });

  const calm = {
    async 'no work'() {},
    'work that is not overdue': () => planChore('sweep', clock.now()),
    async 'a worker without a free slot'() {
      hasRoom = false;
      await planOverdue();
    },
    async 'an unreachable Redis'() {
      ping = () => Promise.reject(new Error('unreachable'));
      await planOverdue();
    },
  };
  test.each(Object.entries(calm))('a worker is not restarted for %s', async (_what, prepare) => {
    await prepare();
    watch();
    await eventually(() => expect(lateChecks).toBeGreaterThan(10), { withinMs: 10_000 });
    expect([restarts, reasons]).toEqual([0, []]);
  });
});
