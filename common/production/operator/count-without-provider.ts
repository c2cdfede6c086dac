import { liveWaitingIndex, MailJob, type MailJobRecord } from '#common/mail-jobs/model/mail-job.model.ts';
import { rowsOf } from '#common/platform/mongo/mongo.ts';
import { findProvider, type PrintRule, serviceTypes, zones } from '#common/services.ts';

/** Letters that are read, the oldest first: letters without a provider stay oldest. */
const maxRead = 10_000;

/**
 * Returns how many live letters are rendered and wait because no provider prints them. Looks at the 10,000 oldest queued
 * letters, and reads nothing when every letter has a provider.
 */
export async function countWithoutProvider(rules: readonly PrintRule[]): Promise<number> {
  const kinds = zones.flatMap((zone) => serviceTypes.map((serviceType) => ({ zone, serviceType })));
  const unprinted = kinds.filter((kind) => findProvider(kind, rules) === null);
  if (unprinted.length === 0) return 0;
  const [counted] = await rowsOf<MailJobRecord>(MailJob)
    .aggregate<{ count: number }>(
      [
        { $match: { mode: 'live', status: 'queued' } },
        { $sort: { status: -1, _id: 1 } },
        { $limit: maxRead },
        { $match: { printFile: { $ne: null }, batchId: { $exists: false }, $or: unprinted } },
        { $count: 'count' },
      ],
      { hint: liveWaitingIndex },
    )
    .toArray();
  return counted?.count ?? 0;
}
