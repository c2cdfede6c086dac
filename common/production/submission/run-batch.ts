import { plusMs } from '#common/clock.ts';
import { collectWork, MailJob } from '#common/mail-jobs/model/mail-job.model.ts';
import { dueIndexKey } from '#common/platform/due-work/due.schema.ts';
import { type Claim, finishClaim } from '#common/platform/due-work/due-work.ts';
import { notOfPaused } from '#common/platform/due-work/pauses.ts';
import { rowsOf } from '#common/platform/mongo/mongo.ts';
import type { BatchRecord, BatchState } from '../batches/batch.model.ts';
import { assignBeforeHandOver } from '../tracking/assign-before-hand-over.ts';
import { handOver, resolveHandOver } from './hand-over.ts';
import { pollProvider } from './poll-provider.ts';
import {
  isDispatchPaused,
  type NextStep,
  type PressDeps,
  type PressStep,
  pressRetryDelaysMs,
  problemOf,
  retryLater,
  storeStep,
  whilePaused,
} from './press-steps.ts';
import { handIn, recordMark } from './record-mark.ts';

/** How long a batch waits for letters that a worker collects at this moment. Longer than the lease of a dead worker. */
const maxCollectMs = 120_000;
const collectPauseMs = 1_000;

/** The next step of a batch in each state. Those that are absent wait for an operator, or have ended. */
const steps: Partial<Record<BatchState, PressStep>> = {
  open: close,
  closed: assignAndHandOver,
  submitting: (claim, deps) => resolveHandOver(claim, deps),
  at_press: pollProvider,
  printed: handIn,
};
/** States in which a batch stays while an operator has paused the handing over. */
const pausable: readonly BatchState[] = ['open', 'closed'];

/** Takes the next step of a batch, or records what an operator has reported, and stores what that leaves. */
export async function runBatch(claim: Claim<BatchRecord>, deps: PressDeps, signal: AbortSignal): Promise<void> {
  const next = await takeStep(claim, deps, signal);
  if (!next) return;
  const { set = {}, nextAt = null, from } = next;
  const isStored = await finishClaim(claim, { set, nextAt, ...(from && { onlyIf: { state: from } }) });
  if (isStored) next.onStored?.();
}

async function takeStep(claim: Claim<BatchRecord>, deps: PressDeps, signal: AbortSignal): Promise<NextStep | null> {
  const { marking, state } = claim.row;
  if (marking) return await recordMark(claim, marking, deps);
  if (pausable.includes(state) && (await isDispatchPaused(deps))) return whilePaused(deps);
  const step = steps[state];
  try {
    return step ? await step(claim, deps, signal) : {};
  } catch (error) {
    const problem = problemOf(error);
    if (problem === null) throw error;
    return retryLater(claim, deps, problem);
  }
}

/** Closes a batch when all letters that are due for its cutoff are collected. */
async function close(...[claim, deps, signal]: Parameters<PressStep>): Promise<NextStep | null> {
  const { _id, closesAt, updatedAt } = claim.row;
  const now = deps.clock.now();
  // Each collected letter updates the batch: after an outage collecting begins long after the closing.
  const sinceAt = updatedAt > closesAt ? updatedAt : closesAt;
  // While all is paused, nothing is collected.
  const lastAt = plusMs(sinceAt, (await deps.pauses.read()).endedMsSince(collectWork.queue, null, sinceAt));
  const isCollecting = now < plusMs(lastAt, maxCollectMs) && (await hasLettersToCollect(claim.row, deps));
  if (now < closesAt || isCollecting) {
    return { nextAt: now < closesAt ? closesAt : plusMs(now, collectPauseMs) };
  }
  const closed = await storeStep(claim, 'open', { state: 'closed', closedAt: now, updatedAt: now });
  if (!closed) return null;
  deps.log.info({ batchId: _id, itemCount: closed.itemCount }, 'batch closed');
  return await assignAndHandOver({ ...claim, row: closed }, deps, signal);
}

/**
 * The numbers come first: what the press gets contains them. Those assigned before a crash stay as they are. When all
 * retries have failed, the batch is printed without the rest: labels can be scanned later, and its cutoff does not move.
 */
async function assignAndHandOver(...[claim, deps, signal]: Parameters<PressStep>): Promise<NextStep | null> {
  try {
    await assignBeforeHandOver(claim.row, deps, signal);
  } catch (error) {
    if (signal.aborted || claim.failures < pressRetryDelaysMs.length) throw error;
    deps.log.error({ err: error, batchId: claim.id }, 'tracking numbers not assigned, batch printed without them');
  }
  return await handOver(claim, deps, signal);
}

/** An operator who closes a cutoff before its time sets `closesAt` of all its letters before the first one is due. */
async function hasLettersToCollect({ closesAt, cutoffAt }: BatchRecord, { pauses }: PressDeps): Promise<boolean> {
  const isCollected = notOfPaused((await pauses.read()).of(collectWork.queue));
  const due = { [`${collectWork.path}.at`]: { $lte: cutoffAt }, closesAt: { $lte: closesAt }, ...isCollected };
  return (await rowsOf(MailJob).findOne(due, { hint: dueIndexKey(collectWork.path), projection: { _id: 1 } })) !== null;
}
