import { newId } from '../ids.ts';
import type { Owner } from '../modes.ts';
import type { Hints } from '../platform/queues.ts';
import { inTransaction } from '../platform/transaction.ts';
import { Delivery, type DeliveryRecord } from '../webhooks/delivery.model.ts';
import { Event, type EventKind, type EventRecord } from '../webhooks/event.model.ts';
import { readActiveWebhook } from '../webhooks/read-webhook.ts';
import { pingPrefix } from '../webhooks/test-headers.ts';
import { wakeWebhook } from '../webhooks/wake-webhook.ts';
import { mailStatuses } from './lifecycle.ts';
import { eventKindOf } from './mail-event.schema.ts';
import { mailEventPayload } from './mail-event.ts';

const aFailure = { code: 'SIMULATED', message: 'A test of your webhook: no letter has failed.' } as const;

export type Ping = { deliveryId: string; eventId: string; event: EventKind; mailJobId: string };

/**
 * Sends a webhook a test of the first kind that it is subscribed to, about a mail job that nobody has (`ping-…`), with
 * the header X-Service-Test, and otherwise like any delivery. Tried once. Throws NOT_FOUND, WEBHOOK_DISABLED.
 */
export async function pingWebhook(
  owner: Owner,
  webhookId: string,
  { hints }: { hints: Hints },
  at: Date,
): Promise<Ping> {
  const { organizationId, mode } = owner;
  const { url, events } = await readActiveWebhook(owner, webhookId);
  const status = mailStatuses.find((each) => events.includes(eventKindOf[each])) ?? 'queued';
  const kind = eventKindOf[status];
  const eventId = newId('evt');
  const mailJobId = pingPrefix + eventId.slice('evt_'.length);
  const failure = status === 'failed' ? aFailure : null;
  const body = JSON.stringify(mailEventPayload({ mailJobId, externalId: null, status, failure }, at));
  const shared = { organizationId, mode, body };
  const event: EventRecord = {
    ...shared,
    _id: eventId,
    kind,
    subjectId: mailJobId,
    webhookUrl: null,
    at,
    fannedOutAt: at,
  };
  const delivery: DeliveryRecord = {
    ...shared,
    _id: newId('whd'),
    endpointId: webhookId,
    webhookId,
    eventId,
    event: kind,
    mailJobId,
    url,
    state: 'due',
    attempt: 0,
    nextAttemptAt: at,
    leaseToken: null,
    isLate: false,
    isManual: true,
    lastResult: null,
    eventAt: at,
    createdAt: at,
    updatedAt: at,
  };
  await inTransaction(async (transaction) => {
    await Event.insertMany([event], { session: transaction });
    await Delivery.insertMany([delivery], { session: transaction });
  });
  await wakeWebhook(owner, webhookId, delivery._id, hints, at);

  return { deliveryId: delivery._id, eventId, event: kind, mailJobId };
}
