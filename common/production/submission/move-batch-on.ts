import { newDue } from '#common/platform/due-work/due-work.ts';
import { rowsOf } from '#common/platform/mongo/mongo.ts';
import { Batch, type BatchRecord, type BatchState } from '../batches/batch.model.ts';
import { hasItems } from '../batches/read-batch-jobs.ts';

/** The states in which a batch waits for its items to be printed. */
const beforePrinted = ['closed', 'submitting', 'at_press', 'needs_operator'] as const satisfies readonly BatchState[];

/** A report of an operator that is being recorded decides about the batch, not what is seen meanwhile. */
const isUnmarked = { marking: { $exists: false } };

/**
 * Moves a batch on when none of its items is left behind: to `printed`, or at once to `posted` when none is printed and
 * not posted. `postsAt`: when a printed batch is due to be posted; null when an operator says so. `onlyIf`: what else must
 * hold; by default that no operator's report is being recorded. Returns its state now, null when there is no such batch.
 * An open batch stays open.
 */
export async function moveBatchOn(
  batchId: string,
  { at, postsAt = null, onlyIf = isUnmarked }: { at: Date; postsAt?: Date | null; onlyIf?: object },
): Promise<BatchState | null> {
  const batches = rowsOf<BatchRecord>(Batch);
  // No item goes back, so what is read here still holds at the update. One update: a worker may die after it.
  if (!(await hasItems(batchId, ['queued']))) {
    const ended = { problem: null, updatedAt: at, printedAt: { $ifNull: ['$printedAt', at] } };
    if (await hasItems(batchId, ['printed'])) {
      const next = postsAt === null ? { $unset: 'due.press' } : { $set: { 'due.press': newDue(postsAt) } };
      const isBefore = { ...onlyIf, _id: batchId, state: { $in: [...beforePrinted] } };
      await batches.updateOne(isBefore, [{ $set: { ...ended, state: 'printed' } }, { $unset: 'marking' }, next]);
    } else {
      const isBefore = { ...onlyIf, _id: batchId, state: { $in: [...beforePrinted, 'printed' as const] } };
      await batches.updateOne(isBefore, [
        { $set: { ...ended, state: 'posted', postedAt: at } },
        { $unset: ['due.press', 'marking'] },
      ]);
    }
  }
  return (await batches.findOne({ _id: batchId }, { projection: { state: 1 } }))?.state ?? null;
}
