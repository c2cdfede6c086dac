import type { Transaction } from '../platform/transaction.ts';
import { appendEvents, type NewEvent } from '../webhooks/event.model.ts';
import type { Failure } from './failure.ts';
import type { MailStatus } from './lifecycle.ts';
import { eventKindOf } from './mail-event.schema.ts';
import type { MailJobRecord } from './mail-job.model.ts';

type Reported = { mailJobId: string; externalId: string | null; status: MailStatus; failure: Failure | null };

/** What is sent of a status that was reached: what `mailEventPayloads` declares. */
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
 * Promises to report the status that each job has just reached, in the transaction in which it reaches it. Returns the
 * events' ids in the jobs' order.
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
  const { organizationId, mode, status, webhookUrl } = job;
  const reported = { mailJobId: job._id, externalId: job.externalId ?? null, status, failure: job.failure ?? null };
  // Jobs of one transaction were taken at moments of their own, and each says so.
  const payload = mailEventPayload(reported, job[`${status}At`] ?? at);
  return { organizationId, mode, kind: eventKindOf[status], subjectId: job._id, webhookUrl, payload };
}
