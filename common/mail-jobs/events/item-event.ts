import { appendEvents } from '#common/events/event.model.ts';
import type { Transaction } from '#common/platform/mongo/transaction.ts';
import type { MailJobRecord } from '../model/mail-job.model.ts';
import type { ReturnReason } from '../model/returned.ts';

type ReturnedItem = { mailJobId: string; externalId: string | null; itemId: string; reason: ReturnReason };

/** Returns the webhook payload of an item that came back, as declared in `eventPayloadSchemas`. */
export function itemReturnedPayload({ mailJobId, externalId, itemId, reason }: ReturnedItem, at: Date) {
  return { event: 'ITEM_RETURNED', mailJobId, externalId, itemId, reason, returnedAt: at.toISOString() } as const;
}

/**
 * Appends the event of an item that came back, in the transaction that records it. Only webhooks that name the kind get
 * it, never the mail job's own URL: that gets the five kinds of the mail job. Returns the event's id.
 */
export async function appendItemReturned(
  transaction: Transaction,
  { job, itemId, reason, letterAt }: { job: MailJobRecord; itemId: string; reason: ReturnReason; letterAt: Date },
  at: Date,
): Promise<string> {
  const { _id: mailJobId, organizationId, mode, externalId = null, clock, traceparent } = job;
  const payload = itemReturnedPayload({ mailJobId, externalId, itemId, reason }, letterAt);
  const about = { organizationId, mode, kind: payload.event, subjectId: itemId, mailJobId, webhookUrl: null, payload };
  const event = { ...about, ...(clock && { clockId: clock.id }), ...(traceparent !== undefined && { traceparent }) };
  const [eventId = ''] = await appendEvents(transaction, [event], at);
  return eventId;
}
