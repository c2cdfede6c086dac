import type { Transaction } from '../platform/transaction.ts';
import { appendEvents, type NewEvent } from '../webhooks/event.model.ts';
import { eventKindOf } from './mail-event.schema.ts';
import type { MailJobRecord } from './mail-job.model.ts';

/**
 * Promises to report the status that each job has just reached, in the transaction in which it reaches it. Returns the
 * events' ids in the jobs' order. The payload is what `mailEventPayloads` declares.
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
  const kind = eventKindOf[status];
  const payload = {
    event: kind,
    mailJobId: job._id,
    externalId: job.externalId ?? null,
    status,
    [`${status}At`]: at.toISOString(),
    ...(job.failure && { failure: { code: job.failure.code, message: job.failure.message } }),
  };
  return { organizationId, mode, kind, subjectId: job._id, webhookUrl, payload };
}
