import type { Transaction } from '../platform/transaction.ts';
import { appendEvent, type EventKind } from '../webhooks/event.model.ts';
import type { MailStatus } from './lifecycle.ts';
import type { MailJobRecord } from './mail-job.model.ts';

/** The event that reports each status. */
const eventKindOf = {
  queued: 'MAIL_QUEUED',
  printed: 'MAIL_PRINTED',
  posted: 'MAIL_POSTED',
  delivered: 'MAIL_DELIVERED',
  failed: 'MAIL_FAILED',
} as const satisfies Record<MailStatus, EventKind>;

/**
 * Promises to report the status that a job has just reached, in the transaction in which it reaches it.
 * The payload is the specification's: event, mailJobId, externalId, status, and the moment; a failure says why.
 */
export async function appendMailEvent(transaction: Transaction, job: MailJobRecord, at: Date): Promise<string> {
  const { organizationId, mode, status, webhookUrl } = job;
  const kind = eventKindOf[status];
  const payload = {
    event: kind,
    mailJobId: job._id,
    externalId: job.externalId ?? null,
    status,
    [`${status}At`]: at.toISOString(),
    ...(job.failure && { failure: { code: job.failure.code, message: job.failure.message } }),
  };
  return await appendEvent(transaction, { organizationId, mode, kind, subjectId: job._id, webhookUrl, payload }, at);
}
