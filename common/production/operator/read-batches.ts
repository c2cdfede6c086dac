import { readDay, timeZone } from '#common/calendar.ts';
import { plusMs } from '#common/clock.ts';
import { batchIndex, MailJob, type MailJobRecord } from '#common/mail-jobs/model/mail-job.model.ts';
import { rowsOf } from '#common/platform/mongo/mongo.ts';
import { Batch, type BatchRecord, type BatchState, batchesByState } from '../batches/batch.model.ts';

/** Most batches in each group of the operator's list. */
export const maxListed = 100;
/** Of the batches handed in today, those of older cutoffs are left out: they were handed in very late. */
const postedLookBackMs = 31 * 24 * 3_600_000;

/** The batches as an operator works through them. Each group has the next cutoff first. */
export type BatchGroups = {
  /** Need an operator: their hand-over is in doubt, or they wait because of a problem. */
  needsOperator: BatchRecord[];
  atPress: BatchRecord[];
  /** Complete, and being handed over to the provider. */
  handingOver: BatchRecord[];
  open: BatchRecord[];
  /** Printed, and to be handed in at the post office. */
  printed: BatchRecord[];
  postedToday: BatchRecord[];
};

/** Returns the batches that are not posted yet and those posted today in Brussels, at most 100 in each group. */
export async function listBatches(now: Date): Promise<BatchGroups> {
  const [doubtful, stuck, unread, atPress, closed, submitting, open, printed, postedToday] = await Promise.all([
    findBatches('needs_operator'),
    findBatches('closed', hasProblem),
    findBatches('at_press', hasProblem),
    findBatches('at_press', { problem: null }),
    findBatches('closed', { problem: null }),
    findBatches('submitting'),
    findBatches('open'),
    findBatches('printed'),
    findBatches('posted', {
      cutoffAt: { $gte: plusMs(now, -postedLookBackMs) },
      postedAt: { $gte: startOfToday(now) },
    }),
  ]);
  const needsOperator = [...doubtful, ...stuck, ...unread];
  return { needsOperator, atPress, handingOver: [...submitting, ...closed], open, printed, postedToday };
}

const hasProblem = { problem: { $ne: null } } as const;

async function findBatches(state: BatchState, filter: object = {}): Promise<BatchRecord[]> {
  const found = rowsOf<BatchRecord>(Batch).find({ state, ...filter }, { hint: batchesByState });
  return await found.sort({ cutoffAt: 1, _id: 1 }).limit(maxListed).toArray();
}

function startOfToday(now: Date): Date {
  const today = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(timeZone).toPlainDate();
  return readDay(today.toString())?.startsAt ?? now;
}

/** Returns how many batches wait for an operator, at most `limit`. */
export async function countBatchesForOperator(limit: number): Promise<number> {
  const count = async (filter: object) =>
    await rowsOf<BatchRecord>(Batch).countDocuments(filter, { hint: batchesByState, limit });
  const counts = await Promise.all([
    count({ state: 'needs_operator' }),
    count({ state: 'closed', ...hasProblem }),
    count({ state: 'at_press', ...hasProblem }),
  ]);
  return Math.min(
    counts.reduce((sum, each) => sum + each, 0),
    limit,
  );
}

/** Returns how many items of a batch that have not failed there are, and how many have a label. Reads the whole batch. */
export async function countLabels(batchId: string): Promise<{ total: number; labelled: number }> {
  const labelled = { $sum: { $cond: [{ $gt: ['$items.tracking', null] }, 1, 0] } };
  const [counted] = await rowsOf<MailJobRecord>(MailJob)
    .aggregate<{ total: number; labelled: number }>(
      [
        { $match: { batchId } },
        { $project: { _id: 0, 'items.status': 1, 'items.tracking': 1 } },
        { $unwind: '$items' },
        { $match: { 'items.status': { $ne: 'failed' } } },
        { $group: { _id: null, total: { $sum: 1 }, labelled } },
      ],
      { hint: batchIndex },
    )
    .toArray();
  return { total: counted?.total ?? 0, labelled: counted?.labelled ?? 0 };
}
