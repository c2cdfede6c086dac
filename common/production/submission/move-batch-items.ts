import { AppError } from '#common/errors.ts';
import { advanceItemsOf } from '#common/mail-jobs/items/advance-items.ts';
import type { ItemMove } from '#common/mail-jobs/items/plan-moves.ts';
import type { Hints } from '#common/platform/redis/queues.ts';
import { type BatchedJob, readBatchJobs } from '../batches/read-batch-jobs.ts';

/** A move of one item writes about four rows, so 100 stay below the 1,000 rows that a transaction should write at most. */
const maxMoves = 100;

/** Moves of the items of one job. */
export type BatchMove = Omit<ItemMove, 'mailJobId' | 'nextStepDelayS' | 'require' | 'alongside'>;

/**
 * Moves items of a batch, job after job, 100 moves in a transaction. `plan` returns the moves of a job. A move that was
 * made meanwhile is left out, so a repeat after a crash resumes with the next move. Returns how many were made.
 */
export async function moveBatchItems(
  batchId: string,
  plan: (job: BatchedJob) => readonly BatchMove[],
  { hints, at }: { hints: Hints; at: Date },
): Promise<number> {
  let made = 0;
  let waiting: ItemMove[] = [];
  async function apply(): Promise<void> {
    if (waiting.length === 0) return;
    const outcomes = await advanceItemsOf(waiting, at);
    const moved = outcomes.flatMap((outcome) => (outcome instanceof AppError ? [] : [outcome]));
    made += moved.length;
    hints.notify(
      'fan-out',
      moved.flatMap(({ eventId }) => eventId ?? []),
    );
    waiting = [];
  }
  for await (const job of readBatchJobs(batchId)) {
    waiting.push(...plan(job).map((move) => ({ ...move, mailJobId: job._id, owner: job, nextStepDelayS: 0 })));
    if (waiting.length >= maxMoves) await apply();
  }
  await apply();
  return made;
}
