import { collectWork } from '#common/mail-jobs/model/mail-job.model.ts';
import { type BatchRecord, pressWork } from '#common/production/batches/batch.model.ts';
import { type CollectDeps, collectDueJobs } from '#common/production/batches/collect-jobs.ts';
import { type PressDeps, pressRetryDelaysMs } from '#common/production/submission/press-steps.ts';
import { runBatch } from '#common/production/submission/run-batch.ts';
import { type ClaimedWork, claimedWork } from './claimed-work.ts';
import { drainWorker } from './drain-worker.ts';
import type { WorkerDefinition } from './worker.ts';

/** Batches that one process works on at once. Making the copies of a batch keeps a core busy. */
const concurrency = 2;

/** Creates the workers that put live letters into batches, and bring batches to the press. */
export function productionWorkers(deps: CollectDeps & PressDeps): WorkerDefinition[] {
  const press: ClaimedWork<BatchRecord> = {
    slot: pressWork,
    concurrency,
    retryDelaysMs: pressRetryDelaysMs,
    logFieldsOf: ({ _id: batchId, state }) => ({ batchId, state }),
    // A batch at the press is looked at every few seconds. What happens to it is logged by its steps.
    doneLevel: 'debug',
    run: (claim, { signal }) => runBatch(claim, deps, signal),
  };
  return [collectWorker(deps), claimedWork(press, deps)];
}

/** Collects all due letters. Letters of one cutoff are due at the same moment. */
function collectWorker(deps: CollectDeps): WorkerDefinition {
  const round = async () => (await collectDueJobs(deps)) > 0;
  // All work is paused. While only the handing over is, letters still move to the next cutoff.
  return drainWorker(collectWork.queue, () => ({ round }), { ...deps, pausedWith: pressWork.queue });
}
