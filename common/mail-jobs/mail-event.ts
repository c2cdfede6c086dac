import type { Transaction } from '../platform/transaction.ts';
import { appendEvent } from '../webhooks/event.model.ts';
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

/** Promises to report the status that a job has just reached, in the transaction in which it reaches it. */
export async function appendMailEvent(transaction: Transaction, job: MailJobRecord, at: Date): Promise<string> {
  const { organizationId, mode, status, webhookUrl } = job;
  const kind = eventKindOf[status];
  const reported = { mailJobId: job._id, externalId: job.externalId ?? null, status, failure: job.failure ?? null };
  const payload = mailEventPayload(reported, at);
  return await appendEvent(transaction, { organizationId, mode, kind, subjectId: job._id, webhookUrl, payload }, at);
}
