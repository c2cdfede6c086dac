import { type CreateDeps, createMailJob, dryRunMailJob } from './create-mail-job.ts';
import { type MailReceipt, toMailDetail } from './mail-job.view.ts';
import type { MailOrder } from './mail-order.ts';

/** The answer to a request to send: `isNew` tells a job that was made now from a repeat or a dry run. */
export async function takeMailOrder(
  order: MailOrder,
  deps: CreateDeps,
  at: Date,
): Promise<{ receipt: MailReceipt; isNew: boolean }> {
  if (order.request.dryRun === true) {
    const { job, isBalanceSufficient } = await dryRunMailJob(order, deps, at);
    const flags = { dryRun: true, duplicate: false, payloadMatches: true, balanceSufficient: isBalanceSufficient };
    return { receipt: { ...toMailDetail(job), mailJobId: null, ...flags, warnings: job.warnings }, isNew: false };
  }
  const { job, isNew, payloadMatches } = await createMailJob(order, deps, at);
  // A job that was stored was paid for.
  const flags = { dryRun: false, duplicate: !isNew, payloadMatches, balanceSufficient: true };

  return { receipt: { ...toMailDetail(job), ...flags, warnings: job.warnings }, isNew };
}
