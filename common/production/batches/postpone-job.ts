import { openCutoff } from '#common/calendar.ts';
import type { HistoryStep } from '#common/mail-jobs/items/item-history.model.ts';
import type { MailJobRecord } from '#common/mail-jobs/model/mail-job.model.ts';
import { newDue } from '#common/platform/due-work/due-work.ts';
import type { CutoffRules } from '#common/services.ts';

/**
 * Why a letter misses its batch. `not_rendered`: it has no print file. `no_provider`: no rule of PRINT_PROVIDERS prints it.
 * `batch_closed`: the batch closed before the letter could join it. `paused`: an operator held the letter until its cutoff.
 * The timeline shows it.
 */
export type PostponeReason = 'not_rendered' | 'no_provider' | 'batch_closed' | 'paused';

/** Returns the change that moves a job to the next open cutoff, and the steps of its timeline. */
export function postponeJob(
  job: MailJobRecord,
  reason: PostponeReason,
  { cutoffs }: { cutoffs: CutoffRules },
  at: Date,
) {
  const { serviceType, scheduledDropAt } = job;
  const notBefore = scheduledDropAt !== null && scheduledDropAt > at ? scheduledDropAt : at;
  const { dropAt, closesAt } = openCutoff({ notBefore, now: at, serviceType }, cutoffs);
  const moved = { dropAt, closesAt, 'due.batch': newDue(closesAt), updatedAt: at };
  const detail = { reason, dropAt: dropAt.toISOString() };
  // A letter that missed a batch closed early may still go with its cutoff: then nothing has changed for its sender.
  const isLater = dropAt > job.dropAt;
  return {
    change: { filter: { _id: job._id, organizationId: job.organizationId }, change: { $set: moved } },
    // Not by the cutoff: where clocks differ, a job can miss it again after its sender has moved it back.
    history: isLater ? stepsOf(job, { at, kind: 'postponed', detail, key: at.toISOString() }) : [],
  };
}

/** Returns a step of the press for each item that has not failed. */
export function stepsOf(
  { _id: mailJobId, organizationId, mode, items }: MailJobRecord,
  step: Pick<HistoryStep, 'at' | 'kind' | 'detail' | 'key'>,
): HistoryStep[] {
  const going = items.filter(({ status }) => status === 'queued');
  return going.map(({ itemId }) => ({ ...step, mailJobId, organizationId, mode, itemId, by: 'press' }));
}

/** Returns how many letters missed their batch for each reason. */
export function tally(reasons: readonly PostponeReason[]): Partial<Record<PostponeReason, number>> {
  return Object.fromEntries([...Map.groupBy(reasons, (reason) => reason)].map(([reason, all]) => [reason, all.length]));
}
