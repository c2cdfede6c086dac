import { createFairSemaphore, SemaphoreFullError, withPermit } from '../concurrency/fair-semaphore.ts';
import { withTimeout } from '../concurrency/with-timeout.ts';
import type { Log } from './log.ts';

/** Work that continues after the response was sent. */
export type BackgroundTasks = {
  /** Starts a task, or queues it behind the running ones. A failure is logged under `name`. */
  run(name: string, work: () => Promise<void>): void;
  /** Waits until all tasks have ended, 10 s at most. */
  close(): Promise<void>;
};

export type BackgroundTasksOptions = {
  log: Log;
  /** The most tasks that run at once. */
  concurrency?: number;
  /** The most tasks that run or wait. Further tasks are dropped. */
  maxPending?: number;
};

const closeTimeoutMs = 10_000;
/** All tasks wait in order of arrival. */
const oneGroup = 'tasks';

export function createBackgroundTasks({
  log,
  concurrency = 4,
  maxPending = 1_000,
}: BackgroundTasksOptions): BackgroundTasks {
  const permits = createFairSemaphore({ permits: concurrency, maxWaiting: maxPending - concurrency });
  const pending = new Set<Promise<void>>();

  async function runTask(name: string, work: () => Promise<void>): Promise<void> {
    try {
      await withPermit(permits, oneGroup, work);
    } catch (error) {
      if (error instanceof SemaphoreFullError) {
        log.error({ work: name }, 'background task dropped, too many pending');
        return;
      }
      // Logs only class and code of the error: its message may contain an address.
      const { name: errorName, code } = error as { name?: unknown; code?: unknown };
      log.error({ work: name, error: errorName, code }, 'background task failed');
    }
  }

  return {
    run(name, work) {
      const task = runTask(name, work).finally(() => pending.delete(task));
      pending.add(task);
    },
    close: () => withTimeout(drain(), closeTimeoutMs, () => {}),
  };

  /** A task may start another one. */
  async function drain(): Promise<void> {
    while (pending.size > 0) await Promise.all(pending);
  }
}
