// Level: push
import { pauseWork, resumeWork } from '#common/operations/change-pauses.ts';
import { Chore, choreWork, planChore } from '#common/platform/due-work/chore.model.ts';
import { Pause } from '#common/platform/due-work/pause.model.ts';
import { createPauses } from '#common/platform/due-work/pauses.ts';
import { createLog } from '#common/platform/process/log.ts';
import { startWatchdog } from '#workers/process/watchdog.ts';
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
  let hasDue = async () => true;

  beforeEach(async () => {
    [restarts, lateChecks, hasRoom, hasDue] = [0, 0, true, async () => true];
    reasons.length = 0;
    await Chore.deleteMany({});
    await Pause.deleteMany({});
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
      hints: { hasDue: () => hasDue() },
      clock,
      pauses: createPauses(0),
      log: createLog('test', 'silent'),
      onStalled: (reason) => void reasons.push(reason),
      stallTimeoutMs,
      checkIntervalMs: 10,
    });
  }
  const by = { kind: 'cli', id: 'ada' } as const;
  const everything = { work: 'all', organizationId: null } as const;
  const pauseAll = async () => await pauseWork({ ...everything, reason: 'test' }, by, clock.now());
  const resumeAll = async (at: Date) => await resumeWork(everything, by, at);
  const planOverdue = () => planChore('sweep', new Date(clock.now().getTime() - 10 * stallTimeoutMs));

  test('a worker that ignores overdue work is restarted once, then reported as stalled', async () => {
    await planOverdue();
    watch();
    await eventually(() => expect(restarts).toBe(1));
    await eventually(() => expect(reasons[0]).toMatch(/cleanup/));
    expect(restarts).toBe(1);
  });

  test('a worker that ignores overdue work long after a pause is restarted', async () => {
    await planOverdue();
    await pauseAll();
    await resumeAll(new Date(clock.now().getTime() - stallTimeoutMs));
    watch();
    await eventually(() => expect(restarts).toBe(1));
  });

  test('a worker is not restarted by a check that was under way when the watchdog was closed', async () => {
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
    let asked = 0;
    hasDue = async () => {
      asked += 1;
      await answered;
      return true;
    };
    await planOverdue();
    watch();
    await eventually(() => expect(asked).toBe(1));
    watchdog?.close();
    answer();
    // The check asks the database three times, one after the other.
    for (let n = 0; n < 10; n += 1) await Chore.findById('sweep');
    expect([restarts, reasons]).toEqual([0, []]);
  });

  const calm = {
    async 'no work'() {},
    'work that is not overdue': () => planChore('sweep', clock.now()),
    async 'a worker without a free slot'() {
      hasRoom = false;
      await planOverdue();
    },
    async 'overdue work that is paused'() {
      await planOverdue();
      await pauseAll();
    },
    async 'overdue work whose pause has just ended'() {
      await planOverdue();
      await pauseAll();
      await resumeAll(clock.now());
    },
    async 'an unreachable Redis'() {
      hasDue = () => Promise.reject(new Error('unreachable'));
      await planOverdue();
    },
    async 'overdue work without a message'() {
      hasDue = async () => false;
      await planOverdue();
    },
  };
  test.each(Object.entries(calm))('a worker is not restarted for %s', async (_what, prepare) => {
    await prepare();
    watch();
    await eventually(() => expect(lateChecks).toBeGreaterThan(10));
    expect([restarts, reasons]).toEqual([0, []]);
  });
});
