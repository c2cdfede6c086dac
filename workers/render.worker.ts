import { type MailJobRecord, renderWork, traceOf } from '../common/mail-jobs/mail-job.model.ts';
import { type RenderDeps, renderMailJob, renderRetryDelaysMs } from '../common/mail-jobs/render-mail-job.ts';
import type { ClaimedWork } from './claimed-work.ts';

/** Makes print files. May run twice for one job: the file has one key, and only the holder of the lease finishes. */
export function renderWorker(deps: RenderDeps): ClaimedWork<MailJobRecord> {
  return {
    slot: renderWork,
    // More than there are slots to render in: documents that wait for the slow slot must not keep others out.
    concurrency: 16,
    retryDelaysMs: renderRetryDelaysMs,
    traceOf,
    run: (claim, { signal }) => renderMailJob(claim, deps, signal),
  };
}
