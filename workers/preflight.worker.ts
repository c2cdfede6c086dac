import { type PreflightRecord, preflightWork } from '#common/mail-jobs/preflight/preflight.model.ts';
import { type PreflightDeps, preflightRetryDelaysMs, runPreflight } from '#common/mail-jobs/preflight/run-preflight.ts';
import type { ClaimedWork } from './claimed-work.ts';

/** Preflights that one process claims at once, and those of one organization. They share the slots of rendering. */
const claimLimits = { concurrency: 8, perOrganization: 2 } as const;

/** Checks files before they are sent. Running twice for one row is harmless. */
export function preflightWorker(deps: PreflightDeps): ClaimedWork<PreflightRecord> {
  return {
    slot: preflightWork,
    ...claimLimits,
    retryDelaysMs: preflightRetryDelaysMs,
    logFieldsOf: ({ _id: preflightId }) => ({ preflightId }),
    run: (claim, { signal }) => runPreflight(claim, deps, signal),
  };
}
