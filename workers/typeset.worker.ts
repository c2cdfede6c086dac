import { runTypesetJob, type TypesetWorkDeps, typesetRetryDelaysMs } from '#common/templates/run-typeset-job.ts';
import { type TypesetJobRecord, typesetWork } from '#common/templates/typeset-job.model.ts';
import type { ClaimedWork } from './claimed-work.ts';

/**
 * Letters that one process claims at once, and those of one organization. Many, because a request waits for each: in the
 * process they wait for typesetting fairly and in order, while a parked hint goes behind all that come after it.
 */
const claimLimits = { concurrency: 256, perOrganization: 128 } as const;

/** Makes letters of templates. Running twice for one row is harmless. */
export function typesetWorker(deps: TypesetWorkDeps): ClaimedWork<TypesetJobRecord> {
  return {
    slot: typesetWork,
    ...claimLimits,
    retryDelaysMs: typesetRetryDelaysMs,
    logFieldsOf: ({ _id: typesetJobId }) => ({ typesetJobId }),
    run: (claim, { signal }) => runTypesetJob(claim, deps, signal),
  };
}
