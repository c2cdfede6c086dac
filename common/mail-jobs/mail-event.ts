import type { Transaction } from '../platform/transaction.ts';
import { appendEvent } from '../webhooks/event.model.ts';
import { eventKindOf } from './mail-event.schema.ts';
import type { MailJobRecord } from './mail-job.model.ts';

/**
 * Promises to report the status that a job has just reached, in the transaction in which it reaches it.
 * The payload is what `mailEventPayloads` declares.
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
