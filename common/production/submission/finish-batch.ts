import { rowsOf } from '#common/platform/mongo/mongo.ts';
import { Batch, type BatchRecord, type BatchState } from '../batches/batch.model.ts';
import { hasItems } from '../batches/read-batch-jobs.ts';

/** The states in which a batch waits for its items to be printed. */
const beforePrinted = ['closed', 'submitting', 'at_press', 'needs_operator'] as const satisfies readonly BatchState[];

/**
 * Moves a batch on when none of its items is left behind: to `printed`, or to `posted` when all are posted too. Returns
 * its state now, null when there is no such batch. An open batch stays open.
 */
export async function finishBatch(batchId: string, at: Date): Promise<BatchState | null> {
  const batches = rowsOf<BatchRecord>(Batch);
  if (!(await hasItems(batchId, ['queued']))) {
    await batches.updateOne(
      { _id: batchId, state: { $in: [...beforePrinted] } },
      { $set: { state: 'printed', problem: null, printedAt: at, updatedAt: at }, $unset: { 'due.press': '' } },
    );
    if (!(await hasItems(batchId, ['printed']))) {
      await batches.updateOne(
        { _id: batchId, state: 'printed' },
        { $set: { state: 'posted', postedAt: at, updatedAt: at }, $unset: { 'due.press': '' } },
      );
    }
  }
  return (await batches.findOne({ _id: batchId }, { projection: { state: 1 } }))?.state ?? null;
}
