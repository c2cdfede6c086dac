import { plusMs } from '#common/clock.ts';
import { type Claim, finishClaim, newDue } from '#common/platform/due-work/due-work.ts';
import { rowsOf } from '#common/platform/mongo/mongo.ts';
import { Batch, type BatchRecord, partsWork } from '../batches/batch.model.ts';
import { countItems, hasItems } from '../batches/read-batch-jobs.ts';
import { toPressBatch } from '../batches/to-press-batch.ts';
import { type HandOver, PressUnavailableError, type Whereabouts } from '../providers/press-provider.ts';
import { PrintFileLostError } from './batch-copies.ts';
import {
  finishPrinted,
  isDispatchPaused,
  needOperator,
  noProvider,
  type PressDeps,
  pollMs,
  postponeBatch,
  retryDelaysMs,
  storeStep,
  waitForDispatch,
  workOn,
} from './press-steps.ts';

/** For an error whose cause the operator cannot see here. */
const failedOnOurSide = 'Handing this batch over failed. It is tried again. The log of the workers says why it failed.';

/**
 * Hands a closed batch to its provider, at most once: `submitting` is stored durably before anything leaves, and a batch
 * that is found in this state is never handed over again without knowledge of what happened.
 */
export async function submit(claim: Claim<BatchRecord>, deps: PressDeps, signal: AbortSignal): Promise<void> {
  const { clock, log } = deps;
  const { row: batch } = claim;
  const provider = deps.providers[batch.provider];
  if (!(await hasItems(batch._id, ['queued']))) {
    await finishPrinted(batch, deps);
    return;
  }
  if (!provider) return await postponeBatch(claim, deps, noProvider(batch));
  const work = workOn(batch, deps, signal);
  let handOver: HandOver;
  try {
    handOver = await provider.prepare(work);
  } catch (error) {
    if (error instanceof PressUnavailableError) return await postponeBatch(claim, deps, error.message);
    if (error instanceof PrintFileLostError) return await postponeBatch(claim, deps, error.message);
    if (claim.failures > 0 && !signal.aborted) await tell(claim, deps, failedOnOurSide);
    throw error;
  }
  // Making the copies of a large batch takes minutes.
  let isPaused = true;
  try {
    isPaused = await isDispatchPaused(deps);
  } finally {
    if (isPaused) await handOver.discard?.();
  }
  if (isPaused) return await waitForDispatch(claim, deps);
  const submitting = await storeStep(claim, 'closed', { state: 'submitting', problem: null, updatedAt: clock.now() });
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
export async function locate(claim: Claim<BatchRecord>, deps: PressDeps, problem: string | null = null): Promise<void> {
  const { row: batch } = claim;
  let found: Whereabouts | undefined;
  try {
    found = await deps.providers[batch.provider]?.locate(toPressBatch(batch));
  } catch (error) {
    if (error instanceof PressUnavailableError) return await postponeBatch(claim, deps, error.message);
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

/** Shows the operator why a batch waits, while its work is retried. */
async function tell({ id, token }: Claim<BatchRecord>, { clock }: PressDeps, problem: string): Promise<void> {
  const held = { _id: id, 'due.press.leaseToken': token };
  await rowsOf<BatchRecord>(Batch).updateOne(held, { $set: { problem, updatedAt: clock.now() } });
}
