import { type Clock, plusMs } from '#common/clock.ts';
import { batchWork, MailJob } from '#common/mail-jobs/model/mail-job.model.ts';
import { dueIndexKey } from '#common/platform/due-work/due.schema.ts';
import { type Claim, finishClaim, newDue } from '#common/platform/due-work/due-work.ts';
import { rowsOf } from '#common/platform/mongo/mongo.ts';
import type { Log } from '#common/platform/process/log.ts';
import type { Hints } from '#common/platform/redis/queues.ts';
import type { ObjectStore } from '#common/platform/s3/s3.ts';
import type { ProviderName } from '#common/print-rules.ts';
import { Batch, type BatchRecord, type BatchState, partsWork } from '../batches/batch.model.ts';
import { countItems, hasItems } from '../batches/read-batch-jobs.ts';
import { toPressBatch } from '../batches/to-press-batch.ts';
import {
  type HandOver,
  type PressProvider,
  PressUnavailableError,
  type PressWork,
  type ReportedResults,
  type Whereabouts,
} from '../providers/press-provider.ts';
import { makeBatchCopies, PrintFileLostError } from './batch-copies.ts';
import { finishBatch } from './finish-batch.ts';
import { itemsThatAre, moveBatchItems } from './move-batch-items.ts';
import { recordResults } from './record-results.ts';

export type PressDeps = {
  providers: Readonly<Record<ProviderName, PressProvider | null>>;
  store: ObjectStore;
  hints: Hints;
  clock: Clock;
  log: Log;
};

/** How long a batch waits for letters that a worker collects at this moment. Longer than the lease of a dead worker. */
const maxCollectMs = 120_000;
const collectPauseMs = 1_000;
/** Delays of another try when the press did not take a batch. The last one repeats. */
export const retryDelaysMs = [60_000, 120_000, 300_000] as const;
/** How often the results of a provider are read. */
export const pollMs = 5_000;

/** Takes the next step of a batch: closes it, hands it over, finds out what became of it, or reads its results. */
export async function runBatch(claim: Claim<BatchRecord>, deps: PressDeps, signal: AbortSignal): Promise<void> {
  switch (claim.row.state) {
    case 'open':
      return await close(claim, deps, signal);
    case 'closed':
      return await submit(claim, deps, signal);
    case 'submitting':
      return await locate(claim, deps);
    case 'at_press':
      return await follow(claim, deps, signal);
    case 'printed':
      return await post(claim, deps);
    default:
      await finishClaim(claim);
  }
}

/** Closes a batch when all letters that are due for its cutoff are collected. */
async function close(claim: Claim<BatchRecord>, deps: PressDeps, signal: AbortSignal): Promise<void> {
  const { _id, closesAt, updatedAt } = claim.row;
  const now = deps.clock.now();
  // Each collected letter updates the batch: after an outage collecting begins long after the closing.
  const lastAt = updatedAt > closesAt ? updatedAt : closesAt;
  const isCollecting = now < plusMs(lastAt, maxCollectMs) && (await hasLettersToCollect(claim.row));
  if (now < closesAt || isCollecting) {
    const nextAt = now < closesAt ? closesAt : plusMs(now, collectPauseMs);
    await finishClaim(claim, { nextAt });
    return;
  }
  const closed = await store(claim, 'open', { state: 'closed', closedAt: now, updatedAt: now });
  if (!closed) return;
  deps.log.info({ batchId: _id, itemCount: closed.itemCount }, 'batch closed');
  await submit({ ...claim, row: closed }, deps, signal);
}

/** An operator who closes a cutoff before its time sets `closesAt` of all its letters before the first one is due. */
async function hasLettersToCollect({ closesAt, cutoffAt }: BatchRecord): Promise<boolean> {
  const due = { [`${batchWork.path}.at`]: { $lte: cutoffAt }, closesAt: { $lte: closesAt } };
  return (await rowsOf(MailJob).findOne(due, { hint: dueIndexKey(batchWork.path), projection: { _id: 1 } })) !== null;
}

/**
 * Hands a closed batch to its provider, at most once: `submitting` is stored durably before anything leaves, and a batch
 * that is found in this state is never handed over again without knowledge of what happened.
 */
async function submit(claim: Claim<BatchRecord>, deps: PressDeps, signal: AbortSignal): Promise<void> {
  const { clock, log } = deps;
  const { row: batch } = claim;
  const provider = deps.providers[batch.provider];
  if (!(await hasItems(batch._id, ['queued']))) {
    await finish(batch, deps);
    return;
  }
  if (!provider) return await postpone(claim, deps, noProvider(batch));
  const work = workOn(batch, deps, signal);
  let handOver: HandOver;
  try {
    handOver = await provider.prepare(work);
  } catch (error) {
    if (error instanceof PressUnavailableError) return await postpone(claim, deps, error.message);
    if (error instanceof PrintFileLostError) return await postpone(claim, deps, error.message);
    if (claim.failures > 0 && !signal.aborted) await tell(claim, deps, failedOnOurSide);
    throw error;
  }
  const submitting = await store(claim, 'closed', { state: 'submitting', problem: null, updatedAt: clock.now() });
  if (!submitting) return await handOver.discard?.();
  const held = { ...claim, row: submitting };
  // An operator may have set letters to failed or posted while their copies were made.
  if (work.copyCount !== null && work.copyCount !== (await countItems(batch._id, 'queued'))) {
    await handOver.discard?.();
    return await takeBack(held, deps, null);
  }
  try {
    await handOver();
  } catch (error) {
    if (error instanceof PressUnavailableError) return await takeBack(held, deps, error.message);
    log.error({ err: error, batchId: batch._id }, 'handing over a batch ended in doubt');
    return await locate(held, deps, error instanceof PrintFileLostError ? error.message : failedOnOurSide);
  }
  await take(held, deps);
}

/**
 * Finds out what became of a batch whose handing over did not end. It stays in doubt while the press cannot be asked.
 * `problem`: the error that ended it, for which another try waits; null after the death of a worker.
 */
async function locate(claim: Claim<BatchRecord>, deps: PressDeps, problem: string | null = null): Promise<void> {
  const { row: batch } = claim;
  let found: Whereabouts | undefined;
  try {
    found = await deps.providers[batch.provider]?.locate(toPressBatch(batch));
  } catch (error) {
    if (error instanceof PressUnavailableError) return await postpone(claim, deps, error.message);
    throw error;
  }
  if (found === 'taken') return await take(claim, deps);
  if (found === 'not_taken') return await takeBack(claim, deps, problem);
  await needOperator(
    claim,
    deps,
    'It is not known whether the press has this batch: its worker ended while handing it over. Look at the press, then say here whether it was printed.',
  );
}

async function needOperator(claim: Claim<BatchRecord>, deps: PressDeps, problem: string): Promise<void> {
  const isStored = await finishClaim(claim, {
    set: { state: 'needs_operator', problem, updatedAt: deps.clock.now() },
    onlyIf: { state: claim.row.state },
  });
  if (isStored) deps.log.error({ batchId: claim.id, problem }, 'batch needs an operator');
}

async function take(claim: Claim<BatchRecord>, deps: PressDeps): Promise<void> {
  const { row: batch } = claim;
  const now = deps.clock.now();
  const { readResults, needsPrintParts } = deps.providers[batch.provider] ?? {};
  const isFollowed = readResults !== undefined;
  const merging = needsPrintParts ? { [partsWork.path]: newDue(now) } : {};
  await finishClaim(claim, {
    set: { state: 'at_press', submittedAt: now, problem: null, updatedAt: now, ...merging },
    onlyIf: { state: 'submitting' },
    nextAt: isFollowed ? plusMs(now, pollMs) : null,
  });
  if (needsPrintParts) deps.hints.notify(partsWork.queue, [batch._id]);
  deps.log.info({ batchId: batch._id, provider: batch.provider }, 'batch handed over');
}

/** Returns a batch that the press did not take to `closed`: at once, or later when there is a problem. */
async function takeBack(claim: Claim<BatchRecord>, deps: PressDeps, problem: string | null): Promise<void> {
  const now = deps.clock.now();
  if (problem !== null) deps.log.warn({ batchId: claim.id, problem }, 'batch not taken by the press');
  await finishClaim(claim, {
    set: { state: 'closed', problem, updatedAt: now },
    onlyIf: { state: 'submitting' },
    nextAt: problem === null ? now : plusMs(now, retryDelaysMs[0]),
  });
}

/** For an error whose cause the operator cannot see here. */
const failedOnOurSide = 'Handing this batch over failed. It is tried again. The log of the workers says why it failed.';

/** Shows the operator why a batch waits, while its work is retried. */
async function tell({ id, token }: Claim<BatchRecord>, { clock }: PressDeps, problem: string): Promise<void> {
  const held = { _id: id, 'due.press.leaseToken': token };
  await rowsOf<BatchRecord>(Batch).updateOne(held, { $set: { problem, updatedAt: clock.now() } });
}

async function postpone(claim: Claim<BatchRecord>, { clock, log }: PressDeps, problem: string): Promise<void> {
  log.warn({ batchId: claim.id, problem }, 'batch not handed over');
  const now = clock.now();
  await finishClaim(claim, { set: { problem, updatedAt: now }, nextAt: plusMs(now, retryDelaysMs[0]) });
}

/** Reads the results of a batch that the press has, and records them. */
async function follow(claim: Claim<BatchRecord>, deps: PressDeps, signal: AbortSignal): Promise<void> {
  const { row: batch } = claim;
  const { hints, clock } = deps;
  const provider = deps.providers[batch.provider];
  // Another process may have it: the batch is still followed.
  if (!provider) return await postpone(claim, deps, noProvider(batch));
  let reported: ReportedResults | undefined;
  try {
    reported = await provider.readResults?.(workOn(batch, deps, signal));
  } catch (error) {
    if (error instanceof PressUnavailableError) return await postpone(claim, deps, error.message);
    throw error;
  }
  if (reported && reported.results.length > 0) {
    await recordResults(batch._id, reported.results, { hints, at: clock.now() });
    await reported.settle();
  }
  if ((await finish(batch, deps)) !== 'at_press') return;
  if (reported?.problem !== undefined) return await needOperator(claim, deps, reported.problem);
  const set = batch.problem === null ? {} : { problem: null };
  await finishClaim(claim, { set, nextAt: reported ? plusMs(clock.now(), pollMs) : null });
}

/** Ends a batch that is printed. A provider that hands it in itself does so at the cutoff. */
async function finish(
  { _id, provider, cutoffAt }: BatchRecord,
  { providers, clock }: PressDeps,
): Promise<BatchState | null> {
  return await finishBatch(_id, { at: clock.now(), postsAt: providers[provider]?.postsAtCutoff ? cutoffAt : null });
}

/** Hands a batch in whose provider does so at the cutoff. */
async function post(claim: Claim<BatchRecord>, { hints, clock }: PressDeps): Promise<void> {
  const at = clock.now();
  await moveBatchItems(
    claim.id,
    ({ items }) => {
      const itemIds = itemsThatAre('printed', items);
      return itemIds.length > 0 ? [{ itemIds, target: 'posted', by: 'press' }] : [];
    },
    { hints, at },
  );
  await finishBatch(claim.id, { at });
}

const noProvider = ({ provider }: BatchRecord) =>
  `No provider ${provider} is configured. Set its variables, or move PRINT_PROVIDERS.`;

/** `copyCount`: the copies that the provider got, null when it asked for none. */
type CountedWork = PressWork & { copyCount: number | null };

function workOn(batch: BatchRecord, { store: objects }: PressDeps, signal: AbortSignal): CountedWork {
  const work: CountedWork = { batch: toPressBatch(batch), copies, signal, copyCount: null };
  async function* copies() {
    work.copyCount = 0;
    for await (const copy of makeBatchCopies(batch._id, { store: objects, signal })) {
      work.copyCount += 1;
      yield copy;
    }
  }
  return work;
}

/** Stores a step durably, if the lease still holds and the batch is in state `from`. Returns the batch, or null. */
async function store(
  claim: Claim<BatchRecord>,
  from: BatchRecord['state'],
  change: Partial<BatchRecord>,
): Promise<BatchRecord | null> {
  return await rowsOf<BatchRecord>(Batch).findOneAndUpdate(
    { _id: claim.id, state: from, 'due.press.leaseToken': claim.token },
    { $set: change },
    { returnDocument: 'after', writeConcern: { w: 'majority', journal: true } },
  );
}
