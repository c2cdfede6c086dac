import { rowsOf } from '#common/platform/mongo/mongo.ts';
import type { Transaction } from '#common/platform/mongo/transaction.ts';
import { PressJob, type PressJobRecord } from './cups/press-job.model.ts';

const inDoubt = { state: { $in: ['sending', 'failed'] as const } } as const;

/**
 * Returns the items of a batch that the printer may or may not have printed. None: the batch was not handed over item by
 * item, so the doubt is about all of it.
 */
export async function findItemsInDoubt(batchId: string): Promise<string[]> {
  const rows = await rowsOf<PressJobRecord>(PressJob)
    .find({ batchId, ...(inDoubt as object) }, { projection: { _id: 1 } })
    .toArray();
  return rows.map(({ _id }) => _id);
}

/** Records what an operator said about the items in doubt of a batch: they are printed, or are to be printed again. */
export async function resolveItemsInDoubt(
  batchId: string,
  outcome: 'printed' | 'again',
  session: Transaction,
): Promise<void> {
  const change =
    outcome === 'printed'
      ? { $set: { state: 'printed' } }
      : { $set: { state: 'waiting', jobId: null }, $inc: { attempt: 1 } };
  await rowsOf<PressJobRecord>(PressJob).updateMany({ batchId, ...(inDoubt as object) }, change as never, { session });
}
