import type { Owner } from '../common/modes.ts';
import { createFairSlots } from '../common/platform/fairness/fair-slots.ts';
import { LetterSetting, type LetterSettingRecord, typesetWork } from '../common/templates/letter-setting.model.ts';
import { runSetting, type SettingWorkDeps, settingRetryDelaysMs } from '../common/templates/run-setting.ts';
import { type ClaimDeps, claimedWork } from './claimed-work.ts';
import { withFairSlots } from './with-fair-slots.ts';
import type { WorkerDefinition } from './worker.ts';

/**
 * Letters that one process claims at once, and those of one organization. Many, because a request waits for each: in the
 * process they wait for typesetting fairly and in order, while a parked hint goes behind all that come after it.
 */
const claimLimits = { total: 256, perOrganization: 128 } as const;

/** Creates the worker that makes letters of templates. Running twice for one row is harmless. */
export function typesetWorker(deps: SettingWorkDeps & ClaimDeps): WorkerDefinition {
  const work = claimedWork<LetterSettingRecord>(
    {
      slot: typesetWork,
      concurrency: claimLimits.total,
      retryDelaysMs: settingRetryDelaysMs,
      traceOf: ({ _id: settingId }) => ({ settingId }),
      run: (claim, { signal }) => runSetting(claim, deps, signal),
    },
    deps,
  );
  const { perOrganization } = claimLimits;
  return withFairSlots(work, createFairSlots({ perOrganization, ownerOf }), deps.hints);
}

async function ownerOf(id: string): Promise<Owner | null> {
  return await LetterSetting.findById(id).select({ organizationId: 1, mode: 1 }).lean<Owner>();
}
