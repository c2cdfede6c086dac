import { Event, type EventKind, type EventRecord, eventKinds, pingPrefix } from '#common/events/event.model.ts';
import { newId } from '#common/ids.ts';
import type { Owner } from '#common/modes.ts';
import { inTransaction, isInserted } from '#common/platform/mongo/transaction.ts';
import type { Hints } from '#common/platform/redis/queues.ts';
import { Delivery } from '#common/webhooks/deliveries/delivery.model.ts';
import { newDelivery } from '#common/webhooks/deliveries/new-delivery.ts';
import { wakeWebhook } from '#common/webhooks/endpoints/wake-endpoints.ts';
import { readActiveWebhook } from '#common/webhooks/registry/read-webhooks.ts';
import { madeUp, samplePayload } from './sample-payload.ts';

type Ping = { deliveryId: string; eventId: string; event: EventKind; mailJobId: string };

/**
 * Sends a test event to a webhook: of the first kind that it subscribes to, about a mail job that does not exist
 * (`ping-…`), with the header X-Service-Test. Delivered like any other event, but tried only once. Throws NOT_FOUND,
 * WEBHOOK_DISABLED.
 */
export async function pingWebhook(
  owner: Owner,
  webhookId: string,
  { hints }: { hints: Hints },
  at: Date,
): Promise<Ping> {
  const { organizationId, mode } = owner;
  const { url, events, epoch } = await readActiveWebhook(owner, webhookId);
  const kind = eventKinds.find((each) => events.includes(each)) ?? 'MAIL_QUEUED';
  const eventId = newId('evt');
  const mailJobId = pingPrefix + eventId.slice('evt_'.length);
  const body = JSON.stringify(samplePayload(kind, madeUp(mailJobId), at));
  const event: EventRecord = {
    _id: eventId,
    organizationId,
    mode,
    body,
    kind,
    subjectId: mailJobId,
    webhookUrl: null,
    at,
    fannedOutAt: at,
  };
  const delivery = newDelivery(event, { endpointId: webhookId, webhookId, url, epoch, isManual: true }, at);
  await inTransaction(
    async (transaction) => {
      await Event.insertMany([event], { session: transaction });
      await Delivery.insertMany([delivery], { session: transaction });
    },
    { isStored: (transaction) => isInserted(transaction, Event, eventId, owner) },
  );
  await wakeWebhook(owner, webhookId, delivery._id, hints, at);

  return { deliveryId: delivery._id, eventId, event: kind, mailJobId };
}
