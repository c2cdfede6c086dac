import { type BatchRecord, partsWork } from '#common/production/batches/batch.model.ts';
import { pressRetryDelaysMs } from '#common/production/submission/press-steps.ts';
import { makePrintParts, type PrintPartsDeps } from '#common/production/submission/print-parts.ts';
import type { ClaimedWork } from './claimed-work.ts';

/** Merges the copies of batches. It opens documents, so it runs with those that render. */
export function printPartsWorker(deps: PrintPartsDeps): ClaimedWork<BatchRecord> {
  return {
    slot: partsWork,
    concurrency: 1,
    retryDelaysMs: pressRetryDelaysMs,
    logFieldsOf: ({ _id: batchId }) => ({ batchId }),
    run: (claim, { signal }) => makePrintParts(claim, deps, signal),
  };
}
