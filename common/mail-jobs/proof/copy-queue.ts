import { AppError } from '#common/errors.ts';
import type { Owner } from '#common/modes.ts';
import { createFairSemaphore } from '#common/platform/concurrency/fair-semaphore.ts';
import { withTimeout } from '#common/platform/concurrency/with-timeout.ts';
import { createLazyFolder, makeTempFolder } from '#common/platform/process/temp-folders.ts';
import { toAppError } from './to-app-error.ts';

/** Copies that are made at once, and that wait: a copy of the largest print file holds 1 GB of the disk. */
const permits = { permits: 2, maxWaiting: 60, maxWaitingPerGroup: 20 };
/** How long a request waits for its copy. */
const defaultAnswerMs = 40_000;
/** After this, a copy stops at its next step. The transfers of its print file have time limits of their own. */
const maxWorkMs = 180_000;

/** What the making of a copy gets. The folder is removed when it has ended. */
export type CopyTurn = { makeFolder: () => Promise<string>; signal: AbortSignal };

/** Where the copies of a process wait for their turn, fair between organizations. */
export type CopyQueue = {
  /**
   * Runs `make`, or waits for the run of the same name. Throws SERVICE_UNAVAILABLE with `retryAfterS` when too many wait
   * and when it takes too long; it goes on then, so a repeat of the request finds its result. Throws NOT_FOUND for a
   * lost file.
   */
  run(owner: Owner, name: string, make: (turn: CopyTurn) => Promise<void>): Promise<void>;
};

/** Creates the queue of a process. `answerMs`: how long a call of `run` may take, in milliseconds. */
export function createCopyQueue({ answerMs = defaultAnswerMs }: { answerMs?: number } = {}): CopyQueue {
  const turns = createFairSemaphore(permits);
  const inProgress = new Map<string, Promise<void>>();

  async function runWithPermit(owner: Owner, make: (turn: CopyTurn) => Promise<void>): Promise<void> {
    await turns.acquire(owner, AbortSignal.timeout(answerMs));
    const folder = createLazyFolder(() => makeTempFolder('proof'));
    try {
      await make({ makeFolder: folder.path, signal: AbortSignal.timeout(maxWorkMs) }).finally(folder.remove);
    } finally {
      turns.release(owner);
    }
  }

  return {
    async run(owner, name, make) {
      const making = inProgress.get(name) ?? runWithPermit(owner, make).finally(() => inProgress.delete(name));
      inProgress.set(name, making);
      try {
        await withTimeout(making, answerMs, () => {
          throw new AppError('SERVICE_UNAVAILABLE', { retryAfterS: 10 });
        });
      } catch (error) {
        throw toAppError(error);
      }
    },
  };
}
