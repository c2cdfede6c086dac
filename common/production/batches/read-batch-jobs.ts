import { batchIndex, MailJob, type MailJobRecord } from '#common/mail-jobs/model/mail-job.model.ts';
import { rowsOf } from '#common/platform/mongo/mongo.ts';
import type { Projected } from '#common/platform/mongo/projected.ts';

/** The fields of a job that its copies are made of. */
const projection = { _id: 1, organizationId: 1, mode: 1, sender: 1, items: 1, printFile: 1, status: 1 } as const;
export type BatchedJob = Projected<MailJobRecord, typeof projection>;

/** Yields the jobs of a batch in the order of printing. */
export async function* readBatchJobs(batchId: string): AsyncGenerator<BatchedJob> {
  const jobs = rowsOf<MailJobRecord>(MailJob).find({ batchId }, { projection, hint: batchIndex, batchSize: 100 });
  for await (const job of jobs.sort(batchIndex)) yield job;
}

/** Returns whether any item of a batch has one of these statuses. */
export async function hasItems(batchId: string, statuses: readonly BatchedJob['status'][]): Promise<boolean> {
  const filter = { batchId, 'items.status': { $in: [...statuses] } };
  return (await rowsOf<MailJobRecord>(MailJob).findOne(filter, { projection: { _id: 1 }, hint: batchIndex })) !== null;
}

/** Returns how many items of a batch have this status. */
export async function countItems(batchId: string, status: BatchedJob['status']): Promise<number> {
  const isSo = { $filter: { input: '$items.status', cond: { $eq: ['$$this', status] } } };
  const counted = [{ $match: { batchId } }, { $group: { _id: null, count: { $sum: { $size: isSo } } } }];
  const [total] = await rowsOf<MailJobRecord>(MailJob)
    .aggregate<{ count: number }>(counted, { hint: batchIndex })
    .toArray();
  return total?.count ?? 0;
}
