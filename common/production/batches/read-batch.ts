import { AppError } from '#common/errors.ts';
import { Batch, type BatchRecord } from './batch.model.ts';

/** Returns a batch. Throws NOT_FOUND. */
export async function readBatch(batchId: string): Promise<BatchRecord> {
  const batch = await Batch.findById(batchId).lean<BatchRecord>();
  if (!batch) throw new AppError('NOT_FOUND', { message: `There is no batch ${batchId}.` });
  return batch;
}
