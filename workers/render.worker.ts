import type { Config } from '../common/config/config.ts';
import {
  logFieldsOf,
  type MailJobRecord,
  renderWork,
  slowRenderWork,
} from '../common/mail-jobs/model/mail-job.model.ts';
import { type RenderDeps, renderMailJob, renderRetryDelaysMs } from '../common/mail-jobs/render/render-mail-job.ts';
import type { DueSlot } from '../common/platform/due-work/due-work.ts';
import { type ClaimDeps, claimedWork } from './claimed-work.ts';
import type { WorkerDefinition } from './worker.ts';

/**
 * Letters that one process claims at once. In the fast queue, one organization may hold enough for all render slots and
 * as many waiting. In the slow queue it may hold one, so organizations alternate there.
 */
const claimLimits = (renderSlots: number) => ({
  fast: { concurrency: 8 * renderSlots, perOrganization: 2 * renderSlots },
  slow: { concurrency: 4, perOrganization: 1 },
});

/**
 * Creates the workers that render print files: one for all letters, one for slow ones. Running twice for one job is
 * harmless: the file has one key, and only the holder of the lease finishes.
 */
export function renderWorkers(
  deps: RenderDeps & ClaimDeps & { concurrency: Config['concurrency'] },
): WorkerDefinition[] {
  const { fast, slow } = claimLimits(deps.concurrency.renderSlots);
  const define = (slot: DueSlot, limits: { concurrency: number; perOrganization: number }) => {
    return claimedWork<MailJobRecord>(
      {
        slot,
        ...limits,
        retryDelaysMs: renderRetryDelaysMs,
        logFieldsOf,
        run: (claim, { signal }) => renderMailJob(claim, deps, signal),
      },
      deps,
    );
  };
  return [define(renderWork, fast), define(slowRenderWork, slow)];
}
