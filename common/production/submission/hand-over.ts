import { plusMs } from '#common/clock.ts';
import { type Claim, newDue } from '#common/platform/due-work/due-work.ts';
import { rowsOf } from '#common/platform/mongo/mongo.ts';
import { Batch, type BatchRecord, partsWork } from '../batches/batch.model.ts';
import { countBatchItems, hasItems } from '../batches/read-batch-jobs.ts';
import { toPressBatch } from '../batches/to-press-batch.ts';
import { type HandOver, PressUnavailableError } from '../providers/press-provider.ts';
import {
  isDispatchPaused,
  moveOnIfPrinted,
  type NextStep,
  needOperator,
  noProvider,
  type PressDeps,
  type PressStep,
  pollMs,
  pressRetryDelaysMs,
  problemOf,
  retryLater,
  storeStep,
  toPrint,
  whilePaused,
} from './press-steps.ts';

/** For an error whose cause the operator cannot see here. */
const failedOnOurSide = 'Handing this batch over failed. It is tried again. The log of the workers says why it failed.';

/**
 * Hands a closed batch to its provider, at most once: `submitting` is stored durably before anything leaves, and a batch
 * that is found in this state is never handed over again without knowledge of what happened.
 */
export const handOver: PressStep = async (claim, deps, signal) => {
  const { clock, log } = deps;
  const { row: batch } = claim;
  const provider = deps.providers[batch.provider];
  if (!(await hasItems(batch._id, ['queued']))) {
    await moveOnIfPrinted(batch, deps);
    return null;
  }
  if (!provider) return retryLater(claim, deps, noProvider(batch));
  const work = toPrint(batch, deps, signal);
  let send: HandOver;
  try {
    send = await provider.prepare(work);
  } catch (error) {
    const isOurFault = problemOf(error) === null && claim.failures > 0 && !signal.aborted;
    if (isOurFault) await recordProblem(claim, deps, failedOnOurSide);
    throw error;
  }
  // Making the copies of a large batch takes minutes.
  let isPaused = true;
  try {
    isPaused = await isDispatchPaused(deps);
  } finally {
    if (isPaused) await send.discard?.();
  }
  if (isPaused) return whilePaused(deps);
  const submitting = await storeStep(claim, 'closed', { state: 'submitting', problem: null, updatedAt: clock.now() });
  if (!submitting) {
    await send.discard?.();
    return null;
  }
  const held = { ...claim, row: submitting };
  // An operator may have set letters to failed or posted while their copies were made.
  if (work.copyCount !== null && work.copyCount !== (await countBatchItems(batch._id)).queued) {
    await send.discard?.();
    return returnToClosed(held, deps, null);
  }
  try {
    await send();
  } catch (error) {
    if (error instanceof PressUnavailableError) return returnToClosed(held, deps, error.message);
    log.error({ err: error, batchId: batch._id }, 'handing over a batch ended in doubt');
    return await resolveHandOver(held, deps, problemOf(error) ?? failedOnOurSide);
  }
  return markAtPress(held, deps);
};

/**
 * Resolves an interrupted hand-over by asking the press. The batch stays in doubt while the press cannot be asked.
 * `problem`: the error that ended it, for which another try waits; null after the death of a worker.
 */
export async function resolveHandOver(
  claim: Claim<BatchRecord>,
  deps: PressDeps,
  problem: string | null = null,
): Promise<NextStep> {
  const { row: batch } = claim;
  const found = await deps.providers[batch.provider]?.locate(toPressBatch(batch));
  if (found === 'taken') return markAtPress(claim, deps);
  if (found === 'not_taken') return returnToClosed(claim, deps, problem);
  return needOperator(
    claim,
    deps,
    'It is not known whether the press has this batch: its worker ended while handing it over. Look at the press, then say here whether it was printed.',
  );
}

function markAtPress({ row: batch }: Claim<BatchRecord>, { clock, providers, hints, log }: PressDeps): NextStep {
  const now = clock.now();
  const { readResults, needsPrintParts } = providers[batch.provider] ?? {};
  const merging = needsPrintParts ? { [partsWork.path]: newDue(now) } : {};
  return {
    set: { state: 'at_press', submittedAt: now, problem: null, updatedAt: now, ...merging },
    from: 'submitting',
    nextAt: readResults ? plusMs(now, pollMs) : null,
    onStored() {
      if (needsPrintParts) hints.notify(partsWork.queue, [batch._id]);
      log.info({ batchId: batch._id, provider: batch.provider }, 'batch handed over');
    },
  };
}

/** Returns a batch that the press did not take to `closed`: at once, or later when there is a problem. */
function returnToClosed({ id }: Claim<BatchRecord>, { clock, log }: PressDeps, problem: string | null): NextStep {
  const now = clock.now();
  if (problem !== null) log.warn({ batchId: id, problem }, 'batch not taken by the press');
  const nextAt = problem === null ? now : plusMs(now, pressRetryDelaysMs[0]);
  return { set: { state: 'closed', problem, updatedAt: now }, from: 'submitting', nextAt };
}

/** Shows the operator why a batch waits, while its work is retried. */
async function recordProblem({ id, token }: Claim<BatchRecord>, { clock }: PressDeps, problem: string): Promise<void> {
  const held = { _id: id, 'due.press.leaseToken': token };
  await rowsOf<BatchRecord>(Batch).updateOne(held, { $set: { problem, updatedAt: clock.now() } });
}
