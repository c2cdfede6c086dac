import type { Scope } from '#common/access/scopes.ts';
import { AppError } from '#common/errors.ts';
import type { MailJobRecord } from '../model/mail-job.model.ts';
import { isFinal, isSettled } from './lifecycle.ts';

/** What a caller may do with a mail job. An open list: integrators ignore those they do not know. */
export const mailActions = ['cancel', 'reschedule', 'simulate', 'redact'] as const;
type MailAction = (typeof mailActions)[number];

type Changeable = Pick<MailJobRecord, 'mode' | 'status' | 'items' | 'closesAt' | 'batchId'>;
type Actionable = Changeable & Pick<MailJobRecord, 'serviceType' | 'postedAt' | 'clock' | 'redactedAt'>;

/**
 * Returns whether a job can be cancelled and changed at `at`: while none of its copies is printed, and for a live job
 * until its batch closes.
 */
export function isChangeable({ mode, status, items, closesAt, batchId }: Changeable, at: Date): boolean {
  const isUntouched =
    status === 'queued' && items.every((item) => item.status === 'queued' || item.status === 'failed');
  return isUntouched && (mode === 'test' || (batchId === undefined && at < closesAt));
}

/** Throws NOT_CANCELLABLE, with the reason, for a job that can no longer be cancelled or changed. */
export function requireChangeable(job: Changeable, at: Date): void {
  if (isChangeable(job, at)) return;
  const reason =
    job.status === 'queued'
      ? `Its batch closed at ${job.closesAt.toISOString()}, and it goes to the printer.`
      : `It is ${job.status}.`;
  throw new AppError('NOT_CANCELLABLE', { message: `This mail job can no longer be cancelled or changed. ${reason}` });
}

/**
 * Returns until when a job can be cancelled: until its batch closes. A sandbox job is printed earlier, by its next
 * automatic step. Null: never again.
 */
export function cancellableUntil(job: Changeable & Pick<MailJobRecord, 'due' | 'clock'>, at: Date): Date | null {
  if (!isChangeable(job, at)) return null;
  return job.mode === 'test' ? (job.due.step?.at ?? job.clock?.stepAt ?? job.closesAt) : job.closesAt;
}

/** Returns what this credential may do now. */
export function actionsOf(job: Actionable, { scopes }: { scopes: readonly Scope[] }, at: Date): MailAction[] {
  if (!scopes.includes('send')) return [];
  return [
    ...(isChangeable(job, at) ? (['cancel', 'reschedule'] as const) : []),
    ...(job.mode === 'test' && !isFinal(job.status) ? (['simulate'] as const) : []),
    ...(isSettled(job, at) && !job.redactedAt ? (['redact'] as const) : []),
  ];
}
