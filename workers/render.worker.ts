import type { Config } from '#common/config/config.ts';
import { logFieldsOf, type MailJobRecord, renderWork, slowRenderWork } from '#common/mail-jobs/model/mail-job.model.ts';
import { type RenderDeps, renderMailJob, renderRetryDelaysMs } from '#common/mail-jobs/render/render-mail-job.ts';
import type { ClaimedWork, Run } from './claimed-work.ts';

/**
 * Letters that one process claims at once. In the fast queue, one organization may hold enough for all render slots and
 * as many waiting. In the slow queue it may hold one, so organizations alternate there.
 */
const claimLimits = (renderSlots: number) => ({
  fast: { concurrency: 8 * renderSlots, perOrganization: 2 * renderSlots },
  slow: { concurrency: 4, perOrganization: 1 },
});

/**
 * Render print files: one worker for all letters, one for slow ones. Running twice for one job is harmless: the file has one
 * key, and only the holder of the lease finishes.
 */
export function renderWorkers(deps: RenderDeps & { concurrency: Config['concurrency'] }): ClaimedWork<MailJobRecord>[] {
  const { fast, slow } = claimLimits(deps.concurrency.renderSlots);
  const rendering = {
    retryDelaysMs: renderRetryDelaysMs,
    logFieldsOf,
    run: ((claim, { signal }) => renderMailJob(claim, deps, signal)) satisfies Run<MailJobRecord>,
  };
  return [
    { slot: renderWork, ...fast, ...rendering },
    { slot: slowRenderWork, ...slow, ...rendering },
  ];
}
