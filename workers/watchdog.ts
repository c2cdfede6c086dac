import { type Clock, plusMs } from '../common/clock.ts';
import { type DueSlot, findOverdue } from '../common/platform/due-work.ts';
import type { Log } from '../common/platform/log.ts';
import type { RunningWorker } from './worker.ts';

export type WatchdogOptions = {
  workers: readonly RunningWorker[];
  slots: readonly DueSlot[];
  redis: { ping(): Promise<unknown> };
  clock: Clock;
  log: Log;
  /** Called when a worker stands still again soon after it was restarted. */
  giveUp(reason: string): void;
  patienceMs?: number;
  lookEveryMs?: number;
};

const twiceWithinMs = 10 * 60_000;

/**
 * A worker can stop listening after a lost connection without an error. When work has been due for a minute that nobody
 * holds, this process has taken none of that kind for a minute though it has room, and Redis answers, its worker is made
 * anew; the second time within ten minutes the process gives up.
 */
export function startWatchdog(options: WatchdogOptions): { close(): void } {
  const { workers, slots, redis, clock, log, giveUp, patienceMs = 60_000, lookEveryMs = 10_000 } = options;
  const restartedMs = new Map<string, number>();

  async function look(worker: RunningWorker): Promise<void> {
    const nowMs = performance.now();
    if (!worker.hasRoom() || nowMs - worker.lastPickMs() < patienceMs) return;
    const [slot] = slots.filter(({ queue }) => queue === worker.queue);
    if (!slot || !(await findOverdue(slot, { now: clock.now(), since: plusMs(clock.now(), -patienceMs) }))) return;
    await redis.ping();
    const { queue } = worker;
    if (nowMs - (restartedMs.get(queue) ?? Number.NEGATIVE_INFINITY) < twiceWithinMs) {
      return giveUp(`The worker of ${queue} takes no work, although it was made anew`);
    }
    restartedMs.set(queue, nowMs);
    log.error({ queue }, 'worker takes no work; made anew');
    worker.restart();
  }

  let isLooking = false;
  const timer = setInterval(async () => {
    if (isLooking) return;
    isLooking = true;
    // A store that is away is no reason: the next look finds it back.
    for (const worker of workers)
      await look(worker).catch((error: unknown) => log.debug({ err: error }, 'not watched'));
    isLooking = false;
  }, lookEveryMs);
  timer.unref();
  return { close: () => clearInterval(timer) };
}
