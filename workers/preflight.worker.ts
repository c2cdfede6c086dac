import { Preflight, type PreflightRecord, preflightWork } from '../common/mail-jobs/preflight/preflight.model.ts';
import {
  type PreflightDeps,
  preflightRetryDelaysMs,
  runPreflight,
} from '../common/mail-jobs/preflight/run-preflight.ts';
import type { Owner } from '../common/modes.ts';
import { createFairSlots } from '../common/platform/fairness/fair-slots.ts';
import { type ClaimDeps, claimedWork } from './claimed-work.ts';
import { withFairSlots } from './with-fair-slots.ts';
import type { WorkerDefinition } from './worker.ts';

/** Preflights that one process claims at once, and those of one organization. They share the slots of rendering. */
const claimLimits = { total: 8, perOrganization: 2 } as const;

/** Creates the worker that checks files before they are sent. Running twice for one row is harmless. */
export function preflightWorker(deps: PreflightDeps & ClaimDeps): WorkerDefinition {
  const work = claimedWork<PreflightRecord>(
    {
      slot: preflightWork,
      concurrency: claimLimits.total,
      retryDelaysMs: preflightRetryDelaysMs,
      traceOf: ({ _id: preflightId }) => ({ preflightId }),
      run: (claim, { signal }) => runPreflight(claim, deps, signal),
    },
    deps,
  );
  const { perOrganization } = claimLimits;
  return withFairSlots(work, createFairSlots({ perOrganization, ownerOf }), deps.hints);
}

async function ownerOf(id: string): Promise<Owner | null> {
  return await Preflight.findById(id).select({ organizationId: 1, mode: 1 }).lean<Owner>();
}
