import { type LetterSettingRecord, typesetWork } from '../common/templates/letter-setting.model.ts';
import { runSetting, type SettingWorkDeps, settingRetryDelaysMs } from '../common/templates/run-setting.ts';
import { type ClaimDeps, claimedWork } from './claimed-work.ts';
import type { WorkerDefinition } from './worker.ts';

/**
 * Letters that one process claims at once, and those of one organization. Many, because a request waits for each: in the
 * process they wait for typesetting fairly and in order, while a parked hint goes behind all that come after it.
 */
const claimLimits = { concurrency: 256, perOrganization: 128 } as const;

/** Creates the worker that makes letters of templates. Running twice for one row is harmless. */
export function typesetWorker(deps: SettingWorkDeps & ClaimDeps): WorkerDefinition {
  return claimedWork<LetterSettingRecord>(
    {
      slot: typesetWork,
      ...claimLimits,
      retryDelaysMs: settingRetryDelaysMs,
      traceOf: ({ _id: settingId }) => ({ settingId }),
      run: (claim, { signal }) => runSetting(claim, deps, signal),
    },
    deps,
  );
}
