import { AppError } from '#common/errors.ts';
import { type MailItem, MailJob, type MailJobRecord } from '#common/mail-jobs/model/mail-job.model.ts';
import type { Transaction } from '#common/platform/mongo/transaction.ts';

/** An item in a batch, with its job. */
export type BatchedItem = { item: MailItem; job: MailJobRecord; batchId: string };

/** Returns an item that is in a batch. Throws NOT_FOUND for any other. */
export async function findBatchedItem(itemId: string, session: Transaction | null = null): Promise<BatchedItem> {
  // The index of items has only jobs in a batch.
  const filter = { 'items.itemId': itemId, batchId: { $exists: true } };
  const job = await MailJob.findOne(filter).session(session).lean<MailJobRecord>();
  const item = job?.items.find((each) => each.itemId === itemId);
  if (!job?.batchId || !item) {
    throw new AppError('NOT_FOUND', { message: `There is no item ${itemId} in a batch.` });
  }
  return { item, job, batchId: job.batchId };
}
