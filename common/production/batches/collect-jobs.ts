import type { Clock } from '#common/clock.ts';
import { newId } from '#common/ids.ts';
import { appendHistory, type HistoryStep } from '#common/mail-jobs/items/item-history.model.ts';
import { collectWork, MailJob, type MailJobRecord } from '#common/mail-jobs/model/mail-job.model.ts';
import { claimFound, findDueInBulk } from '#common/platform/due-work/claim-due-in-bulk.ts';
import { type Claim, idHint, isAmong, newDue } from '#common/platform/due-work/due-work.ts';
import { notOfPaused, type Pauses, type PauseView, type QueuePause } from '#common/platform/due-work/pauses.ts';
import { findRows, insertRows, rowsOf, updateRows } from '#common/platform/mongo/mongo.ts';
import { retryOnDuplicateKey } from '#common/platform/mongo/retry-on-duplicate-key.ts';
import { inTransaction, type Transaction } from '#common/platform/mongo/transaction.ts';
import type { Log } from '#common/platform/process/log.ts';
import type { Hints } from '#common/platform/redis/queues.ts';
import { type CutoffRules, findProvider, type PrintRule } from '#common/services.ts';
import { Batch, type BatchKey, type BatchRecord, pressWork } from './batch.model.ts';
import { batchKeyOf, countCopySheets } from './batch-key.ts';
import { type PostponeReason, postponeJob, stepsOf, tally } from './postpone-job.ts';

export type CollectDeps = {
  cutoffs: CutoffRules;
  printRules: readonly PrintRule[];
  hints: Hints;
  clock: Clock;
  log: Log;
  leaseMs: number;
  pauses: Pauses;
};

/**
 * A letter to one recipient writes about four rows, so 100 stay below the 1,000 rows that a transaction should write at
 * most. Letters to many recipients write a row more for each, up to 10,000: rare, and one transaction all the same.
 */
const maxJobs = 100;

/**
 * Puts the items of live jobs whose batch closes into it. A job that has no print file or no provider, or that comes
 * after its batch was closed, moves to the next open cutoff. A job whose handing over an operator has paused waits until
 * its cutoff, and then moves as well: its sender sees the new date. When the pause ends before, it still goes with its
 * cutoff, in a further part where the batch has closed. Returns how many jobs it claimed, at most 100.
 */
export async function collectDueJobs(deps: CollectDeps): Promise<number> {
  const now = deps.clock.now();
  const paused = await deps.pauses.read();
  const found = await findDueInBulk<MailJobRecord>(collectWork, {
    now,
    limit: maxJobs,
    onlyIf: wherePossible(paused.of(collectWork.queue), now),
  });
  const claims = await claimFound<MailJobRecord>(collectWork, found, { now, ttlMs: deps.leaseMs });
  if (claims.length === 0) return 0;
  // Another process may create the same batch first. The retry finds it.
  const { batchIds, postponed } = await retryOnDuplicateKey(() => {
    return inTransaction((transaction) => collect(transaction, claims, { ...deps, paused }, now));
  });
  deps.hints.notify(pressWork.queue, batchIds);
  if (postponed.length > 0)
    deps.log.warn({ count: postponed.length, reasons: tally(postponed) }, 'letters missed their batch');
  return claims.length;
}

/** Returns a filter for letters that may be collected, or whose cutoff has passed while they may not. */
function wherePossible(pause: QueuePause, now: Date): object {
  const hasPassed = { dropAt: { $lte: now } };
  if (pause.isPaused) return hasPassed;
  return pause.organizationIds.length === 0 ? {} : { $or: [notOfPaused(pause), hasPassed] };
}

/** `paused`: the pauses by which the letters were found. */
type CollectionDeps = CollectDeps & { paused: PauseView };
type Collected = { batchIds: string[]; postponed: PostponeReason[] };

async function collect(
  transaction: Transaction,
  claims: readonly Claim<MailJobRecord>[],
  deps: CollectionDeps,
  at: Date,
): Promise<Collected> {
  const jobs = await readDue(transaction, claims, at);
  if (jobs.length === 0) return { batchIds: [], postponed: [] };
  const batches = await openBatches(transaction, jobs, deps, at);
  const changes: { filter: object; change: object }[] = [];
  const history: HistoryStep[] = [];
  const postponed: PostponeReason[] = [];
  for (const job of jobs) {
    const batch = batchFor(job, batches, deps, at);
    if (typeof batch === 'string') {
      const moved = postponeJob(job, batch, deps, at);
      postponed.push(batch);
      changes.push(moved.change);
      history.push(...moved.history);
      continue;
    }
    changes.push({
      filter: { _id: job._id, organizationId: job.organizationId },
      change: { $set: { batchId: batch._id, updatedAt: at }, $unset: { 'due.batch': '' } },
    });
    const { _id: batchId, cutoffAt } = batch;
    history.push(...stepsOf(job, { at, kind: 'batched', detail: { batchId, cutoffAt: cutoffAt.toISOString() } }));
    add(batch, job);
  }
  await updateRows(MailJob, changes, transaction);
  await appendHistory(transaction, history);
  const filled = [...batches.values()].filter(({ added }) => added.letterCount > 0);
  await storeBatches(transaction, filled, at);
  return { batchIds: filled.map(({ _id }) => _id), postponed };
}

/**
 * Reads the claimed jobs in the transaction, without those that were cancelled, moved or collected meanwhile. Does not
 * look at the lease: the snapshot may be older than the claim. Then the first write conflicts, and the retry reads again.
 */
async function readDue(
  transaction: Transaction,
  claims: readonly Claim<MailJobRecord>[],
  now: Date,
): Promise<MailJobRecord[]> {
  const isClaimed = isAmong(claims.map(({ row }) => row));
  const isDue = { ...isClaimed, status: 'queued', batchId: { $exists: false }, 'due.batch.at': { $lte: now } };
  return await findRows<MailJobRecord>(MailJob, isDue, { limit: claims.length, session: transaction, ...idHint });
}

type Counts = { letterCount: number; itemCount: number; sheetCount: number };
type OpenBatch = BatchRecord & { isNew: boolean; added: Counts };

type PartlessKey = Omit<BatchKey, 'part'>;

/**
 * From this number of items on, a batch takes no more letters. The last transaction may add 100 letters to 100 recipients:
 * a batch never has more than 20,000 items.
 */
const fullBatchItems = 10_000;

const nameOf = (key: PartlessKey) =>
  [
    ...[key.cutoffAt.toISOString(), key.provider, key.zone, key.serviceType, key.format, key.window],
    ...[key.color, key.doubleSided, key.acknowledgmentReceipt],
  ].join(' ');

/** Reads the batches of these jobs by their keys, and prepares those that do not exist. */
async function openBatches(
  transaction: Transaction,
  jobs: readonly MailJobRecord[],
  { printRules, paused }: CollectionDeps,
  at: Date,
): Promise<Map<string, OpenBatch>> {
  const keys = new Map<string, { key: PartlessKey; dueAt: Date }>();
  for (const job of jobs) {
    const provider = findProvider(job, printRules);
    if (!job.printFile || !provider) continue;
    const key = batchKeyOf(job, job.printFile, provider);
    const known = keys.get(nameOf(key));
    const dueAt = collectableAt(job, paused, at);
    if (!known || known.dueAt < dueAt) keys.set(nameOf(key), { key, dueAt });
  }
  if (keys.size === 0) return new Map();
  const ofKey = (key: PartlessKey) => ({ ...key, doubleSided: key.doubleSided ?? { $exists: false } });
  const filter = { $or: [...keys.values()].map(({ key }) => ofKey(key)) };
  const stored = await rowsOf<BatchRecord>(Batch).find(filter, { session: transaction }).sort({ part: 1 }).toArray();
  // Of several parts, the last one.
  const last = new Map(stored.map((batch) => [nameOf(batch), batch]));
  return new Map(
    [...keys].map(([name, { key, dueAt }]): [string, OpenBatch] => {
      const batch = last.get(name);
      if (batch && !needsNextPart(batch, dueAt)) return [name, { ...batch, isNew: false, added: noCounts() }];
      const next = newBatch({ ...key, part: (batch?.part ?? 0) + 1 }, dueAt, at);
      return [name, { ...next, isNew: true, added: noCounts() }];
    }),
  );
}

/** Returns since when a letter may be collected: one that an ended pause held, from now on. */
function collectableAt(job: MailJobRecord, paused: PauseView, at: Date): Date {
  const { due, closesAt, dropAt } = job;
  const plannedAt = due.batch?.at ?? closesAt;
  return dropAt > at && wasHeld(job, paused) ? at : plannedAt;
}

/** Returns whether a pause that has ended held a letter when its batch closed. */
function wasHeld({ due, closesAt, organizationId }: MailJobRecord, paused: PauseView): boolean {
  return paused.endedMsSince(collectWork.queue, organizationId, due.batch?.at ?? closesAt) > 0;
}

/**
 * Returns whether letters go into a further part: the batch is full, or was closed before they could be collected, by an
 * operator or while a pause held them.
 */
function needsNextPart({ state, itemCount, closesAt }: BatchRecord, dueAt: Date): boolean {
  return state === 'open' ? itemCount >= fullBatchItems : closesAt < dueAt;
}

const noCounts = (): Counts => ({ letterCount: 0, itemCount: 0, sheetCount: 0 });

/** A batch is first processed 1 s after it closes, when its letters are likely to be collected. */
const settleMs = 1_000;

function newBatch(key: BatchKey, closesAt: Date, at: Date): BatchRecord {
  return {
    _id: newId('bat'),
    ...key,
    closesAt,
    state: 'open',
    ...noCounts(),
    problem: null,
    closedAt: null,
    submittedAt: null,
    printedAt: null,
    postedAt: null,
    createdAt: at,
    updatedAt: at,
    printParts: [],
    due: { press: newDue(new Date(Math.max(closesAt.getTime(), at.getTime()) + settleMs)) },
  };
}

/** Returns the batch of a job, or why it has none. */
function batchFor(
  job: MailJobRecord,
  batches: ReadonlyMap<string, OpenBatch>,
  { printRules, paused }: CollectionDeps,
  at: Date,
): OpenBatch | PostponeReason {
  if (paused.covers(collectWork.queue, job.organizationId)) return 'paused';
  // While all work was paused, nothing moved it when its cutoff passed.
  if (job.dropAt <= at && wasHeld(job, paused)) return 'paused';
  const provider = findProvider(job, printRules);
  if (!provider) return 'no_provider';
  if (!job.printFile) return 'not_rendered';
  const batch = batches.get(nameOf(batchKeyOf(job, job.printFile, provider)));
  return batch?.state === 'open' ? batch : 'batch_closed';
}

function add({ added }: OpenBatch, { items, printFile }: MailJobRecord): void {
  const itemCount = items.filter(({ status }) => status === 'queued').length;
  added.letterCount += 1;
  added.itemCount += itemCount;
  added.sheetCount += printFile ? countCopySheets(printFile) * itemCount : 0;
}

async function storeBatches(transaction: Transaction, batches: readonly OpenBatch[], at: Date): Promise<void> {
  const isNew = batches.filter((batch) => batch.isNew);
  await insertRows(
    Batch,
    isNew.map(({ isNew: _, added, ...batch }): BatchRecord => ({ ...batch, ...added })),
    transaction,
  );
  const grown = batches.filter((batch) => !batch.isNew);
  if (grown.length === 0) return;
  const changes = grown.map(({ _id, added }) => {
    return { filter: { _id, state: 'open' }, change: { $inc: added, $set: { updatedAt: at } } };
  });
  if ((await updateRows(Batch, changes, transaction)) !== grown.length) {
    throw new Error('A batch was closed since its transaction read it');
  }
}
