import { plusMs } from '#common/clock.ts';
import { type Claim, finishClaim } from '#common/platform/due-work/due-work.ts';
import type { BatchRecord } from '../batches/batch.model.ts';
import { PressUnavailableError, type ReportedResults } from '../providers/press-provider.ts';
import { finishBatch } from './finish-batch.ts';
import { itemsThatAre, moveBatchItems } from './move-batch-items.ts';
import {
  finishPrinted,
  needOperator,
  noProvider,
  type PressDeps,
  pollMs,
  postponeBatch,
  workOn,
} from './press-steps.ts';
import { recordResults } from './record-results.ts';

/** Reads the results of a batch that the press has, and records them. */
export async function follow(claim: Claim<BatchRecord>, deps: PressDeps, signal: AbortSignal): Promise<void> {
  const { row: batch } = claim;
  const { hints, clock } = deps;
  const provider = deps.providers[batch.provider];
  // Another process may have it: the batch is still followed.
  if (!provider) return await postponeBatch(claim, deps, noProvider(batch));
  let reported: ReportedResults | undefined;
  try {
    reported = await provider.readResults?.(workOn(batch, deps, signal));
  } catch (error) {
    if (error instanceof PressUnavailableError) return await postponeBatch(claim, deps, error.message);
    throw error;
  }
  if (reported && reported.results.length > 0) {
    await recordResults(batch._id, reported.results, { hints, at: clock.now() });
    await reported.settle();
  }
  const state = await finishPrinted(batch, deps);
  if (state !== 'at_press') return deps.log.info({ batchId: batch._id, state }, 'batch left the press');
  if (reported?.problem !== undefined) return await needOperator(claim, deps, reported.problem);
  const set = batch.problem === null ? {} : { problem: null };
  await finishClaim(claim, { set, nextAt: reported ? plusMs(clock.now(), pollMs) : null });
}

/** Hands a batch in whose provider does so at the cutoff. */
export async function post(claim: Claim<BatchRecord>, { hints, clock, log }: PressDeps): Promise<void> {
  const at = clock.now();
  await moveBatchItems(
    claim.id,
    ({ items }) => {
      const itemIds = itemsThatAre('printed', items);
      return itemIds.length > 0 ? [{ itemIds, target: 'posted', by: 'press' }] : [];
    },
    { hints, at },
  );
  const state = await finishBatch(claim.id, { at });
  log.info({ batchId: claim.id, state }, 'batch handed in by its provider');
}
