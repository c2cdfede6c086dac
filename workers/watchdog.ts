import { type Clock, plusMs } from '../common/clock.ts';
import { type DueSlot, findOverdue } from '../common/platform/due-work/due-work.ts';
import type { Log } from '../common/platform/process/log.ts';
import type { RunningWorker } from './worker.ts';

export type WatchdogOptions = {
  workers: readonly RunningWorker[];
  slots: readonly DueSlot[];
  redis: { ping(): Promise<unknown> };
  clock: Clock;
  log: Log;
  /** Called when a worker stalls again soon after its restart. */
  onStalled(reason: string): void;
  stallTimeoutMs?: number;
  checkIntervalMs?: number;
};

/** A second stall within this time after a restart calls `onStalled`. */
const restartWindowMs = 10 * 60_000;

/**
 * Restarts stalled workers: after a lost connection, a BullMQ worker can stop reading without an error. A worker is
 * stalled when work of its kind has been due and unleased for a minute, it has had a free slot and picked up nothing for a
 * minute, and Redis answers.
 */
export function startWatchdog(options: WatchdogOptions): { close(): void } {
  const { workers, slots, redis, clock, log, onStalled, stallTimeoutMs = 60_000, checkIntervalMs = 10_000 } = options;
  const restartedMs = new Map<string, number>();
  let isClosed = false;

  async function check(worker: RunningWorker): Promise<void> {
    const nowMs = performance.now();
    if (!worker.hasRoom() || nowMs - worker.lastPickMs() < stallTimeoutMs) return;
    const [slot] = slots.filter(({ queue }) => queue === worker.queue);
    if (!slot || !(await findOverdue(slot, plusMs(clock.now(), -stallTimeoutMs)))) return;
    await redis.ping();
    if (isClosed) return;
    const { queue } = worker;
    if (nowMs - (restartedMs.get(queue) ?? Number.NEGATIVE_INFINITY) < restartWindowMs) {
      return onStalled(`The worker of ${queue} is stalled again after a restart`);
    }
    restartedMs.set(queue, nowMs);
    log.error({ queue }, 'worker stalled, restarting');
    worker.restart();
  }

  let isChecking = false;
  const timer = setInterval(async () => {
    if (isChecking) return;
    isChecking = true;
    // MongoDB or Redis is unreachable: skip the worker until the next check.
    for (const worker of workers)
      await check(worker).catch((error: unknown) => log.debug({ err: error }, 'worker not checked'));
    isChecking = false;
  }, checkIntervalMs);
  timer.unref();
  return {
    close() {
      isClosed = true;
      clearInterval(timer);
    },
  };
}
