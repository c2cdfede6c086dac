import { type Clock, plusMs } from '#common/clock.ts';
import { type DueSlot, findOverdue } from '#common/platform/due-work/due-work.ts';
import { notOfPaused, type Pauses } from '#common/platform/due-work/pauses.ts';
import type { Log } from '#common/platform/process/log.ts';
import type { Hints } from '#common/platform/redis/queues.ts';
import type { RunningWorker } from '../worker.ts';

export type WatchdogOptions = {
  workers: readonly RunningWorker[];
  slots: readonly DueSlot[];
  hints: Pick<Hints, 'hasDue'>;
  clock: Clock;
  pauses: Pauses;
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
 * stalled when work of its kind has been due, unleased and not paused for a minute, it has had a free slot and picked up
 * nothing for a minute, and messages of its kind are due in Redis. They are asked for first, so without work MongoDB is not.
 */
export function startWatchdog(options: WatchdogOptions): { close(): void } {
  const {
    workers,
    slots,
    hints,
    clock,
    pauses,
    log,
    onStalled,
    stallTimeoutMs = 60_000,
    checkIntervalMs = 10_000,
  } = options;
  const restartedMs = new Map<string, number>();
  let isClosed = false;

  async function check(worker: RunningWorker): Promise<void> {
    const nowMs = performance.now();
    if (!worker.hasRoom() || nowMs - worker.lastPickMs() < stallTimeoutMs) return;
    const [slot] = slots.filter(({ queue }) => queue === worker.queue);
    if (!slot || !(await hints.hasDue(slot.queue))) return;
    const paused = await pauses.read();
    const pause = paused.of(slot.queue);
    if (pause.isPaused) return;
    const since = plusMs(clock.now(), -stallTimeoutMs);
    // What a pause held has been due for long, and the worker gets it only now.
    const endedAt = paused.lastEndedAt(slot.queue);
    if (endedAt && endedAt > since) return;
    if (!(await findOverdue(slot, since, notOfPaused(pause)))) return;
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
