import { randomUUID } from 'node:crypto';
import type { AuditActor } from '#common/audit/audit.model.ts';
import type { Clock } from '#common/clock.ts';
import { conflict } from '#common/errors.ts';
import { type HistoryActor, historyIdOf, ItemHistory } from '#common/mail-jobs/items/item-history.model.ts';
import { type MailItem, MailJob } from '#common/mail-jobs/model/mail-job.model.ts';
import { findRows, mongoWaitMs } from '#common/platform/mongo/mongo.ts';
import { retryOnDuplicateKey } from '#common/platform/mongo/retry-on-duplicate-key.ts';
import { inTransaction, isInserted, type Transaction } from '#common/platform/mongo/transaction.ts';
import type { Log } from '#common/platform/process/log.ts';
import { readBatch } from '../batches/read-batch.ts';
import { readBatchJobs } from '../batches/read-batch-jobs.ts';
import { findTrackable, type NumberedItem, type TrackedJob, trackedFields, writeNumbers } from './record-tracking.ts';
import { type RangeFilter, takeNumbers } from './take-numbers.ts';

/** Items that get their numbers in one transaction. */
const itemsAtOnce = 100;
/** Concurrent transactions on one range follow each other. As long as others wait for MongoDB, where that is longer. */
const retryMs = 15_000;

export type AssignContext = {
  /** Which ranges the numbers come from. */
  from?: RangeFilter;
  /** Who asks for it: an operator, or the service itself. */
  by: AuditActor | undefined;
  toldBy: Extract<HistoryActor, 'operator' | 'press'>;
  clock: Clock;
  log: Pick<Log, 'warn'>;
  /** Whether printed items get no number, because their copies were made without one. Default: they get one too. */
  isUnprintedOnly?: boolean;
  /** Aborted when the work is to end: it does, between two transactions, and `assignToBatch` throws. */
  signal?: AbortSignal;
};

type AssignedNumber = { itemId: string; number: string };
export type BatchAssigned = {
  assigned: AssignedNumber[];
  /** Items that still have no number because the ranges have ended. */
  missingCount: number;
};

/**
 * Gives each item of a batch that is not posted and has no tracking number the next one of the ranges, 100 in a
 * transaction, in the order of printing. A repeat resumes with the next item. Stops when the ranges end, and keeps
 * what it assigned. Throws NOT_FOUND, and CONFLICT for a batch of letters that are not registered.
 */
export async function assignToBatch(batchId: string, context: AssignContext): Promise<BatchAssigned> {
  if ((await readBatch(batchId)).serviceType !== 'registered') {
    throw conflict(`${batchId} has no registered letters: they have no tracking numbers.`);
  }
  const done: BatchAssigned = { assigned: [], missingCount: 0 };
  let waiting: WaitingItem[] = [];

  async function flush(): Promise<void> {
    context.signal?.throwIfAborted();
    const chunk = waiting.splice(0, itemsAtOnce);
    if (done.missingCount > 0) {
      done.missingCount += chunk.length;
      return;
    }
    const { assigned, missingCount } = await assignSome(chunk, context);
    done.assigned.push(...assigned);
    done.missingCount += missingCount;
  }

  for await (const { _id: mailJobId, items } of readBatchJobs(batchId)) {
    waiting = [
      ...waiting,
      ...items.filter((item) => needsNumber(item, context)).map(({ itemId }) => ({ mailJobId, itemId })),
    ];
    while (waiting.length >= itemsAtOnce) await flush();
  }
  if (waiting.length > 0) await flush();
  return done;
}

/**
 * Gives one item the next tracking number. Returns the number that it has, and whether it is new. Throws NOT_FOUND for an
 * item in no batch, and CONFLICT for one that is not registered, failed, or is posted without a number, and when the
 * ranges have ended.
 */
export async function assignToItem(
  itemId: string,
  context: AssignContext,
): Promise<AssignedNumber & { mailJobId: string; isNew: boolean }> {
  const { mailJobId, number } = await inTransaction(async (transaction) => {
    const { job, item } = await findTrackable(itemId, transaction);
    if (item.tracking === undefined && !needsNumber(item, context)) {
      throw conflict(`${itemId} is ${item.status}: its label cannot be printed any more.`);
    }
    return { mailJobId: job._id, number: item.tracking?.number };
  });
  if (number !== undefined) return { itemId, mailJobId, number, isNew: false };
  const { assigned, missingCount } = await assignSome([{ mailJobId, itemId }], context);
  const [first] = assigned;
  if (first) return { ...first, mailJobId, isNew: true };
  if (missingCount > 0) throw conflict(noNumbersLeft);
  // Another process gave it a number, or posted it, between the two transactions.
  return await assignToItem(itemId, context);
}

export const noNumbersLeft = 'No range has a number left: add one (tracking add-range)';

type WaitingItem = { mailJobId: string; itemId: string };

/** An item that is posted has left, with or without a label. */
function needsNumber(
  { status, tracking }: MailItem,
  { isUnprintedOnly = false }: Pick<AssignContext, 'isUnprintedOnly'>,
): boolean {
  return tracking === undefined && (status === 'queued' || (status === 'printed' && !isUnprintedOnly));
}

/** Assigns numbers to those of the items that still need one, in one transaction. */
async function assignSome(waiting: readonly WaitingItem[], context: AssignContext): Promise<BatchAssigned> {
  const { from = {}, by, toldBy, clock, log } = context;
  const at = clock.now();
  const key = randomUUID();

  async function assign(transaction: Transaction) {
    const needed = await readNeeded(waiting, context, transaction);
    const count = needed.reduce((sum, { itemIds }) => sum + itemIds.length, 0);
    const { numbers, newlyLow } = await takeNumbers(transaction, { ...from, count, at });
    const letters = distribute(needed, numbers);
    if (letters.length > 0) await writeNumbers(transaction, letters, { by, toldBy, at, key });
    const assigned = letters.flatMap(({ numbered }) =>
      numbered.map(({ itemId, tracking }) => ({ itemId, number: tracking.number })),
    );
    return { assigned, missingCount: count - numbers.length, newlyLow };
  }

  const isStored = async (transaction: Transaction, { assigned: [first] }: BatchAssigned) =>
    !first || (await isInserted(transaction, ItemHistory, historyIdOf({ itemId: first.itemId, kind: 'tracked', key })));
  // A label with one of the numbers may be scanned at this moment: the repeat skips it.
  const { newlyLow, ...outcome } = await retryOnDuplicateKey(() =>
    inTransaction(assign, { isStored, endsAt: performance.now() + Math.max(retryMs, mongoWaitMs()) }),
  );
  for (const { indicator, country, left } of newlyLow) {
    log.warn({ indicator, country, left }, 'tracking numbers running out, add a range');
  }
  return outcome;
}

type Needed = { job: TrackedJob; itemIds: string[] };

/** Reads the letters again in the transaction: items may have got a number, failed or been posted meanwhile. */
async function readNeeded(
  waiting: readonly WaitingItem[],
  context: Pick<AssignContext, 'isUnprintedOnly'>,
  session: Transaction,
): Promise<Needed[]> {
  const ids = [...new Set(waiting.map(({ mailJobId }) => mailJobId))];
  const options = { projection: trackedFields, limit: ids.length, session };
  const jobs = await findRows(MailJob, { _id: { $in: ids }, serviceType: 'registered' }, options);
  const byId = new Map(jobs.map((job) => [job._id, job]));
  const asked = new Set(waiting.map(({ itemId }) => itemId));
  return ids.flatMap((id) => {
    const job = byId.get(id);
    if (!job) return [];
    const needing = job.items.filter((item) => asked.has(item.itemId) && needsNumber(item, context));
    return { job, itemIds: needing.map(({ itemId }) => itemId) };
  });
}

function distribute(
  needed: readonly Needed[],
  numbers: readonly { number: string; rangeId: string }[],
): { job: TrackedJob; numbered: NumberedItem[] }[] {
  const next = numbers.values();
  const letters = needed.map(({ job, itemIds }) => {
    const numbered: NumberedItem[] = [];
    for (const itemId of itemIds) {
      const { value: taken } = next.next();
      if (!taken) break;
      const { number, rangeId } = taken;
      numbered.push({ itemId, tracking: { number, scheme: 's10' }, previousNumber: null, rangeId });
    }
    return { job, numbered };
  });
  return letters.filter(({ numbered }) => numbered.length > 0);
}
