import { grantOf } from '#common/access/live-grants.ts';
import { appendEvents, type NewEvent } from '#common/events/event.model.ts';
import type { Transaction } from '#common/platform/mongo/transaction.ts';
import { outcomeOf } from '#common/sandbox/steps/sandbox-outcomes.ts';
import type { Failure } from '../model/failure.ts';
import type { MailJobRecord } from '../model/mail-job.model.ts';
import type { MailStatus } from '../model/mail-status.ts';
import { eventKindOf } from './mail-event.schema.ts';

type Reported = { mailJobId: string; externalId: string | null; status: MailStatus; failure: Failure | null };

/** Returns the webhook payload of a status, as declared in `eventPayloadSchemas`. */
export function mailEventPayload({ mailJobId, externalId, status, failure }: Reported, at: Date) {
  return {
    event: eventKindOf[status],
    mailJobId,
    externalId,
    status,
    [`${status}At`]: at.toISOString(),
    ...(failure && { failure: { code: failure.code, message: failure.message } }),
  };
}

/**
 * Appends an event for the new status of each job, in the transaction that changes the status. Returns the event ids in
 * the order of the jobs.
 */
export async function appendMailEvents(
  transaction: Transaction,
  jobs: readonly MailJobRecord[],
  at: Date,
): Promise<string[]> {
  return await appendEvents(
    transaction,
    jobs.map((job) => toEvent(job, at)),
    at,
  );
}

function toEvent(job: MailJobRecord, at: Date): NewEvent {
  const { organizationId, mode, status, clock, traceparent } = job;
  const reported = { mailJobId: job._id, externalId: job.externalId ?? null, status, failure: job.failure ?? null };
  // Jobs of one transaction reach their status at different times; each payload has its own.
  const payload = mailEventPayload(reported, job[`${status}At`] ?? at);
  const about = { organizationId, mode, kind: eventKindOf[status], subjectId: job._id, ...ownTarget(job), payload };
  const printableAt = status === 'printed' ? printableAtOf(job) : null;
  return {
    ...about,
    ...(clock && { clockId: clock.id }),
    ...(traceparent !== undefined && { traceparent }),
    ...(printableAt && { printableAt }),
  };
}

/** Returns the mail job's own URL, and the grant under which it was given. */
export function ownTarget({
  webhookUrl,
  credentialId,
}: Pick<MailJobRecord, 'webhookUrl' | 'credentialId'>): Pick<NewEvent, 'webhookUrl' | 'grantId'> {
  const grantId = webhookUrl === null ? undefined : grantOf(credentialId);
  return { webhookUrl, ...(grantId !== undefined && { grantId }) };
}

/**
 * Returns when the time to print a letter starts: for a live one when its batch closes, the last one if it has moved; for a
 * test letter when it was sent. Null for one that goes by a test clock, or was sent to be slow.
 */
function printableAtOf({ mode, closesAt, createdAt, clock, items }: MailJobRecord): Date | null {
  if (mode === 'live') return closesAt;
  const isSlow = items.some((item) => outcomeOf(item)?.slowTo?.includes('printed'));
  return clock || isSlow ? null : createdAt;
}
