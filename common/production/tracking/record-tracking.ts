import { randomUUID } from 'node:crypto';
import type { AuditActor } from '#common/audit/audit.model.ts';
import { recordAudits } from '#common/audit/record-audit.ts';
import { type AppError, conflict, invalid } from '#common/errors.ts';
import {
  appendHistory,
  type HistoryActor,
  historyIdOf,
  ItemHistory,
} from '#common/mail-jobs/items/item-history.model.ts';
import { MailJob, type MailJobRecord } from '#common/mail-jobs/model/mail-job.model.ts';
import type { Tracking } from '#common/mail-jobs/model/tracking.ts';
import { findRow, isDuplicateKey, updateRows } from '#common/platform/mongo/mongo.ts';
import type { Projected } from '#common/platform/mongo/projected.ts';
import { inTransaction, isInserted, type Transaction } from '#common/platform/mongo/transaction.ts';
import { type BatchedItem, findBatchedItem } from '../batches/find-batched-item.ts';
import { parseLabel } from './parse-label.ts';

type TrackingToRecord = {
  itemId: string;
  /** What the label says, as it was scanned or typed. */
  label: string;
  /** Whether the label may replace another one of the item, such as a torn one. */
  replace?: boolean | undefined;
};

type TrackingRecorded = {
  itemId: string;
  mailJobId: string;
  tracking: Tracking;
  /** The number that this one replaces; null when there was none. */
  previousNumber: string | null;
  /** False when the item had this number already. */
  isChanged: boolean;
};

/**
 * Records the tracking number on the label of a registered item that is in a batch. A repeat changes nothing. Throws
 * VALIDATION_ERROR for a label without a number, NOT_FOUND for an item in no batch, and CONFLICT for an item that failed
 * or is not registered, one that has another number (without `replace`), and a number that another item has.
 */
export async function recordTracking(
  { itemId, label, replace = false }: TrackingToRecord,
  by: AuditActor | undefined,
  at: Date,
): Promise<TrackingRecorded> {
  const parsed = parseLabel(label);
  if ('problem' in parsed) throw invalid(['label'], parsed.problem);
  const { tracking } = parsed;
  // An item may get a number, then another, then the first one again.
  const key = randomUUID();

  async function record(transaction: Transaction): Promise<TrackingRecorded> {
    const { job, item } = await findTrackable(itemId, transaction);
    const previousNumber = item.tracking?.number ?? null;
    const outcome = { itemId, mailJobId: job._id, tracking };
    if (previousNumber === tracking.number) return { ...outcome, previousNumber: null, isChanged: false };
    if (previousNumber !== null && !replace) {
      throw conflict(`${itemId} has the tracking number ${previousNumber} already.`);
    }
    const numbered = { itemId, tracking, previousNumber };
    await writeNumbers(transaction, [{ job, numbered: [numbered] }], { by, toldBy: 'operator', at, key });
    return { ...outcome, previousNumber, isChanged: true };
  }

  const isStored = async (transaction: Transaction, { isChanged }: TrackingRecorded) =>
    !isChanged || (await isInserted(transaction, ItemHistory, historyIdOf({ itemId, kind: 'tracked', key })));
  try {
    return await inTransaction(record, { isStored });
  } catch (error) {
    if (isDuplicateKey(error)) throw await takenBy(tracking.number);
    throw error;
  }
}

/** The fields of a letter whose items get tracking numbers. */
export const trackedFields = { organizationId: 1, mode: 1, serviceType: 1, items: 1, trackingNumbers: 1 } as const;
export type TrackedJob = Projected<MailJobRecord, typeof trackedFields>;

/** Returns an item in a batch that can have a label. Throws NOT_FOUND, and CONFLICT for one that failed or is not registered. */
export async function findTrackable(itemId: string, session: Transaction): Promise<BatchedItem> {
  const found = await findBatchedItem(itemId, session);
  if (isTrackable(found)) return found;
  const isFailed = found.item.status === 'failed' && found.job.serviceType === 'registered';
  throw conflict(
    isFailed ? `${itemId} failed: take it out of the pile.` : `${itemId} is not registered: it has no tracking number.`,
  );
}

/** Returns whether an item can have a label. */
export function isTrackable({ item, job }: Pick<BatchedItem, 'item' | 'job'>): boolean {
  return job.serviceType === 'registered' && item.status !== 'failed';
}

/** A number for an item. `previousNumber`: the one that it replaces. `rangeId`: the range that it is from. */
export type NumberedItem = {
  itemId: string;
  tracking: Tracking;
  previousNumber: string | null;
  rangeId?: string;
};

/**
 * Writes tracking numbers, with history and audit log: the only writer of them. `key` tells the steps apart from earlier
 * ones of the same items. A unique index aborts the transaction when an item of another letter has one of the numbers.
 */
export async function writeNumbers(
  transaction: Transaction,
  letters: readonly { job: TrackedJob; numbered: readonly NumberedItem[] }[],
  { by, toldBy, at, key }: { by: AuditActor | undefined; toldBy: HistoryActor; at: Date; key: string },
): Promise<void> {
  const updates = [];
  for (const { job, numbered } of letters) updates.push(await toUpdate(job, numbered, { transaction, at }));
  if ((await updateRows(MailJob, updates, transaction)) !== updates.length) throw new Error('A letter vanished');
  const steps = letters.flatMap(({ job: { _id: mailJobId, organizationId, mode }, numbered }) =>
    numbered.map(({ itemId, tracking, previousNumber, rangeId }) => {
      const detail = { ...tracking, ...(previousNumber !== null && { previousNumber }) };
      const step = { mailJobId, organizationId, mode, itemId, at, kind: 'tracked', by: toldBy, detail, key } as const;
      const audited = { ...detail, ...(rangeId !== undefined && { rangeId }) };
      const entry = { action: 'item.tracked', subjectId: itemId, organizationId, mode, detail: audited } as const;
      return { step, entry };
    }),
  );
  await appendHistory(
    transaction,
    steps.map(({ step }) => step),
  );
  await recordAudits(
    steps.map(({ entry }) => entry),
    by,
    at,
    transaction,
  );
}

async function toUpdate(
  { _id, organizationId, items, trackingNumbers = [] }: TrackedJob,
  numbered: readonly NumberedItem[],
  { transaction, at }: { transaction: Transaction; at: Date },
): Promise<{ filter: object; change: object }> {
  // The unique index does not compare the values of one document with each other.
  const repeated = numbered.find(({ tracking }) => trackingNumbers.includes(tracking.number));
  if (repeated) throw await takenBy(repeated.tracking.number, transaction);
  const replaced = numbered.map(({ previousNumber }) => previousNumber);
  const kept = trackingNumbers.filter((number) => !replaced.includes(number));
  // Items never change their places.
  const places = new Map(items.map(({ itemId }, index) => [itemId, index]));
  const set = numbered.map(({ itemId, tracking }) => [`items.${places.get(itemId)}.tracking`, tracking] as const);
  const numbers = [...kept, ...numbered.map(({ tracking }) => tracking.number)];
  return {
    filter: { _id, organizationId },
    change: { $set: { ...Object.fromEntries(set), trackingNumbers: numbers, updatedAt: at } },
  };
}

/** Returns the error for a number that another item has. */
async function takenBy(number: string, session?: Transaction): Promise<AppError> {
  const options = { projection: { items: 1 } as const, ...(session && { session }) };
  const job = await findRow(MailJob, { trackingNumbers: number }, options);
  const owner = job?.items.find(({ tracking }) => tracking?.number === number);
  return conflict(`${number} is the tracking number of ${owner?.itemId ?? 'another item'}.`);
}
