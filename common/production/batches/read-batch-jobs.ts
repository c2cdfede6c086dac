import { batchIndex, MailJob, type MailJobRecord } from '#common/mail-jobs/model/mail-job.model.ts';
import { type MailStatus, mailStatuses } from '#common/mail-jobs/model/mail-status.ts';
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

/** Number of items by status. */
export type StatusCounts = Record<MailStatus, number>;

/** Returns how many items of a batch have each status. Reads the whole batch. */
export async function countBatchItems(batchId: string): Promise<StatusCounts> {
  const counted = await rowsOf<MailJobRecord>(MailJob)
    .aggregate<{ _id: MailStatus; count: number }>(
      [
        { $match: { batchId } },
        { $project: { _id: 0, 'items.status': 1 } },
        { $unwind: '$items' },
        { $group: { _id: '$items.status', count: { $sum: 1 } } },
      ],
      { hint: batchIndex },
    )
    .toArray();
  const counts = new Map(counted.map(({ _id, count }) => [_id, count]));
  return Object.fromEntries(mailStatuses.map((status) => [status, counts.get(status) ?? 0])) as StatusCounts;
}
