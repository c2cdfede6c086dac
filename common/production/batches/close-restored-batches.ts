import { Batch } from './batch.model.ts';

/**
 * Closes the batches that still collect letters, after a restore. The press may have got such a batch since the backup with
 * more letters: a letter that joins it now would count as printed. Letters that have not
 * joined go into a further batch of their cutoff, or to the next cutoff once theirs has passed.
 * Returns how many were closed.
 */
export async function closeRestoredBatches(at: Date): Promise<number> {
  const { modifiedCount } = await Batch.updateMany(
    { state: 'open' },
    { $set: { state: 'closed', closedAt: at, updatedAt: at } },
  );
  return modifiedCount;
}
