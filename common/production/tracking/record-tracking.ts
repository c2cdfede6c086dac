import { randomUUID } from 'node:crypto';
import type { AuditActor } from '#common/audit/audit.model.ts';
import { recordAudit } from '#common/audit/record-audit.ts';
import { AppError, invalid } from '#common/errors.ts';
import { appendHistory, historyIdOf, ItemHistory } from '#common/mail-jobs/items/item-history.model.ts';
import { type MailItem, MailJob, type MailJobRecord } from '#common/mail-jobs/model/mail-job.model.ts';
import type { Tracking } from '#common/mail-jobs/model/tracking.ts';
import { findRow, isDuplicateKey, updateRows } from '#common/platform/mongo/mongo.ts';
import { inTransaction, isInserted, type Transaction } from '#common/platform/mongo/transaction.ts';
import { parseLabel } from './parse-label.ts';

export type TrackingToRecord = {
  itemId: string;
  /** What the label says, as it was scanned or typed. */
  label: string;
  /** Whether the label may replace another one of the item, such as a torn one. */
  replace?: boolean | undefined;
};

export type TrackingRecorded = {
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
    const job = await findJob(itemId, transaction);
    const item = requireTrackable(job, itemId);
    const previousNumber = item.tracking?.number ?? null;
    const outcome = { itemId, mailJobId: job._id, tracking };
    if (previousNumber === tracking.number) return { ...outcome, previousNumber: null, isChanged: false };
    if (previousNumber !== null && !replace) {
      throw conflict(`${itemId} has the tracking number ${previousNumber} already.`);
    }
    await write(job, { itemId, tracking, previousNumber, at }, transaction);
    const { _id: mailJobId, organizationId, mode } = job;
    const detail = { ...tracking, ...(previousNumber !== null && { previousNumber }) };
    const step = { mailJobId, organizationId, mode, itemId, at, kind: 'tracked', by: 'operator', detail, key } as const;
    await appendHistory(transaction, [step]);
    await recordAudit({ action: 'item.tracked', subjectId: itemId, organizationId, mode, detail }, by, at, transaction);
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

type TrackedJob = Pick<MailJobRecord, '_id' | 'organizationId' | 'mode' | 'serviceType' | 'items' | 'trackingNumbers'>;

async function findJob(itemId: string, session: Transaction): Promise<TrackedJob> {
  const projection = { organizationId: 1, mode: 1, serviceType: 1, items: 1, trackingNumbers: 1 } as const;
  const filter = { 'items.itemId': itemId, batchId: { $exists: true } };
  const job = await findRow<TrackedJob>(MailJob, filter, { projection, session });
  if (!job) throw new AppError('NOT_FOUND', { message: `${itemId} is in no batch.` });
  return job;
}

function requireTrackable({ serviceType, items }: TrackedJob, itemId: string): MailItem {
  const item = items.find((each) => each.itemId === itemId);
  if (!item) throw new Error('A letter was found by an item that it does not have');
  if (serviceType !== 'registered') throw conflict(`${itemId} is not registered: it has no tracking number.`);
  if (item.status === 'failed') throw conflict(`${itemId} failed: take it out of the pile.`);
  return item;
}

async function write(
  { _id, trackingNumbers = [] }: TrackedJob,
  change: { itemId: string; tracking: Tracking; previousNumber: string | null; at: Date },
  transaction: Transaction,
): Promise<void> {
  const { itemId, tracking, previousNumber, at: updatedAt } = change;
  // The unique index does not compare the values of one document with each other.
  if (trackingNumbers.includes(tracking.number)) throw await takenBy(tracking.number, transaction);
  const numbers = [...trackingNumbers.filter((number) => number !== previousNumber), tracking.number];
  const set = { 'items.$.tracking': tracking, trackingNumbers: numbers, updatedAt };
  const update = { filter: { _id, 'items.itemId': itemId }, change: { $set: set } };
  if ((await updateRows(MailJob, [update], transaction)) !== 1) throw new Error('An item vanished');
}

/** Returns the error for a number that another item has. */
async function takenBy(number: string, session?: Transaction): Promise<AppError> {
  const options = { projection: { items: 1 } as const, ...(session && { session }) };
  const job = await findRow<Pick<MailJobRecord, '_id' | 'items'>>(MailJob, { trackingNumbers: number }, options);
  const owner = job?.items.find(({ tracking }) => tracking?.number === number);
  return conflict(`${number} is the tracking number of ${owner?.itemId ?? 'another item'}.`);
}

function conflict(message: string): AppError {
  return new AppError('CONFLICT', { message });
}
