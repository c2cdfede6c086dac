import { plusMs } from '#common/clock.ts';
import {
  moveOnIfPrinted,
  needOperator,
  noProvider,
  type PressStep,
  pollMs,
  retryLater,
  toPrint,
} from './press-steps.ts';
import { recordResults } from './record-results.ts';

/** Reads the results of a batch that the press has, and records them. */
export const pollProvider: PressStep = async (claim, deps, signal) => {
  const { row: batch } = claim;
  const { hints, clock } = deps;
  const provider = deps.providers[batch.provider];
  // Another process may have it: the batch is still followed.
  if (!provider) return retryLater(claim, deps, noProvider(batch));
  const reported = await provider.readResults?.(toPrint(batch, deps, signal));
  if (reported && reported.results.length > 0) {
    await recordResults(batch._id, reported.results, { hints, at: clock.now() });
    await reported.settle();
  }
  const state = await moveOnIfPrinted(batch, deps);
  if (state !== 'at_press') {
    deps.log.info({ batchId: batch._id, state }, 'batch left the press');
    return null;
  }
  if (reported?.problem !== undefined) return needOperator(claim, deps, reported.problem);
  const set = batch.problem === null ? {} : { problem: null };
  return { set, nextAt: reported ? plusMs(clock.now(), pollMs) : null };
};
