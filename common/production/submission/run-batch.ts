import { plusMs } from '#common/clock.ts';
import { batchWork, MailJob } from '#common/mail-jobs/model/mail-job.model.ts';
import { dueIndexKey } from '#common/platform/due-work/due.schema.ts';
import { type Claim, finishClaim } from '#common/platform/due-work/due-work.ts';
import { notOfPaused } from '#common/platform/due-work/pauses.ts';
import { rowsOf } from '#common/platform/mongo/mongo.ts';
import type { BatchRecord } from '../batches/batch.model.ts';
import { assignAtClosing } from '../tracking/assign-at-closing.ts';
import { follow, post } from './follow-batch.ts';
import { locate, submit } from './hand-over.ts';
import { isDispatchPaused, type PressDeps, retryDelaysMs, storeStep, waitForDispatch } from './press-steps.ts';
import { recordMark } from './record-mark.ts';

/** How long a batch waits for letters that a worker collects at this moment. Longer than the lease of a dead worker. */
const maxCollectMs = 120_000;
const collectPauseMs = 1_000;

/**
 * Takes the next step of a batch: closes it, hands it over, finds out what became of it, reads its results, or records
 * what an operator has reported. While an operator has paused the handing over, a batch stays open or closed.
 */
export async function runBatch(claim: Claim<BatchRecord>, deps: PressDeps, signal: AbortSignal): Promise<void> {
  if (claim.row.marking) return await recordMark(claim, claim.row.marking, deps);
  const { state } = claim.row;
  if ((state === 'open' || state === 'closed') && (await isDispatchPaused(deps)))
    return await waitForDispatch(claim, deps);
  switch (state) {
    case 'open':
      return await close(claim, deps, signal);
    case 'closed':
      return await handOver(claim, deps, signal);
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
  const sinceAt = updatedAt > closesAt ? updatedAt : closesAt;
  // While all is paused, nothing is collected.
  const lastAt = plusMs(sinceAt, (await deps.pauses.read()).endedMsSince(batchWork.queue, null, sinceAt));
  const isCollecting = now < plusMs(lastAt, maxCollectMs) && (await hasLettersToCollect(claim.row, deps));
  if (now < closesAt || isCollecting) {
    const nextAt = now < closesAt ? closesAt : plusMs(now, collectPauseMs);
    await finishClaim(claim, { nextAt });
    return;
  }
  const closed = await storeStep(claim, 'open', { state: 'closed', closedAt: now, updatedAt: now });
  if (!closed) return;
  deps.log.info({ batchId: _id, itemCount: closed.itemCount }, 'batch closed');
  await handOver({ ...claim, row: closed }, deps, signal);
}

/**
 * The numbers come first: what the press gets contains them. Those assigned before a crash stay as they are. When all
 * retries have failed, the batch is printed without the rest: labels can be scanned later, and its cutoff does not move.
 */
async function handOver(claim: Claim<BatchRecord>, deps: PressDeps, signal: AbortSignal): Promise<void> {
  try {
    await assignAtClosing(claim.row, deps, signal);
  } catch (error) {
    if (signal.aborted || claim.failures < retryDelaysMs.length) throw error;
    deps.log.error({ err: error, batchId: claim.id }, 'tracking numbers not assigned, batch printed without them');
  }
  await submit(claim, deps, signal);
}

/** An operator who closes a cutoff before its time sets `closesAt` of all its letters before the first one is due. */
async function hasLettersToCollect({ closesAt, cutoffAt }: BatchRecord, { pauses }: PressDeps): Promise<boolean> {
  const isCollected = notOfPaused((await pauses.read()).of(batchWork.queue));
  const due = { [`${batchWork.path}.at`]: { $lte: cutoffAt }, closesAt: { $lte: closesAt }, ...isCollected };
  return (await rowsOf(MailJob).findOne(due, { hint: dueIndexKey(batchWork.path), projection: { _id: 1 } })) !== null;
}
