import { type BatchRecord, partsWork } from '../common/production/batches/batch.model.ts';
import { pressRetryDelaysMs } from '../common/production/submission/press-steps.ts';
import { makePrintParts, type PrintPartsDeps } from '../common/production/submission/print-parts.ts';
import { type ClaimDeps, type ClaimedWork, claimedWork } from './claimed-work.ts';
import type { WorkerDefinition } from './worker.ts';

/** Creates the worker that merges the copies of batches. It opens documents, so it runs with those that render. */
export function printPartsWorker(deps: PrintPartsDeps & ClaimDeps): WorkerDefinition {
  const parts: ClaimedWork<BatchRecord> = {
    slot: partsWork,
    concurrency: 1,
    retryDelaysMs: pressRetryDelaysMs,
    logFieldsOf: ({ _id: batchId }) => ({ batchId }),
    run: (claim, { signal }) => makePrintParts(claim, deps, signal),
  };
  return claimedWork(parts, deps);
}
