import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Chore, choreWork, planChore } from '../../common/platform/chore.model.ts';
import { createLog } from '../../common/platform/log.ts';
import { startWatchdog } from '../../workers/watchdog.ts';
import { standingClock } from '../support/clock.ts';
import { eventually } from '../support/eventually.ts';
import { startWorld } from '../support/world.ts';

describe('a worker that stands still', () => {
  startWorld({ hasTariffs: false });
  const clock = standingClock();
  const patienceMs = 50;
  let watchdog: { close(): void } | undefined;
  let restarts = 0;
  const reasons: string[] = [];
  let hasRoom = true;
  let isRedisThere = true;

  beforeEach(async () => {
    [restarts, hasRoom, isRedisThere] = [0, true, true];
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
          offer: () => false,
          hasRoom: () => hasRoom,
          lastPickMs: () => pickedMs,
          restart: () => {
            restarts += 1;
            pickedMs = performance.now();
          },
          close: async () => {},
        },
      ],
      slots: [choreWork],
      redis: { ping: () => (isRedisThere ? Promise.resolve('PONG') : Promise.reject(new Error('away'))) },
      clock,
      log: createLog('test', 'silent'),
      giveUp: (reason) => void reasons.push(reason),
      patienceMs,
      lookEveryMs: 10,
    });
  }
  /** Long enough for many looks. */
  const meanwhile = () => new Promise((resolve) => setTimeout(resolve, 4 * patienceMs));
  const planOverdue = () => planChore('sweep', new Date(clock.now().getTime() - 10 * patienceMs));

  test('given work that nobody takes, when time passes, then the worker is made anew, and the process gives up the second time', async () => {
    await planOverdue();
    watch();
    await eventually(() => expect(restarts).toBe(1), { withinMs: 5_000 });
    await eventually(() => expect(reasons[0]).toMatch(/cleanup/), { withinMs: 5_000 });
    expect(restarts).toBe(1);
  });

  test.each([
    ['no work', async () => {}],
    ['work that is not overdue', () => planChore('sweep', clock.now())],
    [
      'a worker with its hands full',
      async () => {
        hasRoom = false;
        await planOverdue();
      },
    ],
    [
      'a Redis that is away',
      async () => {
        isRedisThere = false;
        await planOverdue();
      },
    ],
  ])('given %s, when time passes, then the worker is left alone', async (_what, prepare) => {
    await prepare();
    watch();
    await meanwhile();
    expect([restarts, reasons]).toEqual([0, []]);
  });
});
