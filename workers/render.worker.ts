import type { Config } from '../common/config/config.ts';
import {
  MailJob,
  type MailJobRecord,
  renderWork,
  slowRenderWork,
  traceOf,
} from '../common/mail-jobs/model/mail-job.model.ts';
import { type RenderDeps, renderMailJob, renderRetryDelaysMs } from '../common/mail-jobs/render/render-mail-job.ts';
import type { Owner } from '../common/modes.ts';
import type { DueSlot } from '../common/platform/due-work/due-work.ts';
import { createFairSlots } from '../common/platform/fairness/fair-slots.ts';
import { type ClaimDeps, claimedWork } from './claimed-work.ts';
import { withFairSlots } from './with-fair-slots.ts';
import type { WorkerDefinition } from './worker.ts';

/**
 * Letters that one process claims at once. In the fast queue, one organization may hold enough for all render slots and
 * as many waiting. In the slow queue it may hold one, so organizations alternate there.
 */
const claimLimits = (renderSlots: number) => ({
  fast: { total: 8 * renderSlots, perOrganization: 2 * renderSlots },
  slow: { total: 4, perOrganization: 1 },
});

/**
 * Creates the workers that render print files: one for all letters, one for slow ones. Running twice for one job is
 * harmless: the file has one key, and only the holder of the lease finishes.
 */
export function renderWorkers(
  deps: RenderDeps & ClaimDeps & { concurrency: Config['concurrency'] },
): WorkerDefinition[] {
  const { fast, slow } = claimLimits(deps.concurrency.renderSlots);
  const define = (slot: DueSlot, { total, perOrganization }: { total: number; perOrganization: number }) => {
    const work = claimedWork<MailJobRecord>(
      {
        slot,
        concurrency: total,
        retryDelaysMs: renderRetryDelaysMs,
        traceOf,
        run: (claim, { signal }) => renderMailJob(claim, deps, signal),
      },
      deps,
    );
    return withFairSlots(work, createFairSlots({ perOrganization, ownerOf }), deps.hints);
  };
  return [define(renderWork, fast), define(slowRenderWork, slow)];
}

async function ownerOf(id: string): Promise<Owner | null> {
  return await MailJob.findById(id).select({ organizationId: 1, mode: 1 }).lean<Owner>();
}
