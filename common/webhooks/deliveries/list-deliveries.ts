import type { CursorCodec } from '#common/cursor.ts';
import { Event, type EventKind, eventKinds, ofMailJob } from '#common/events/event.model.ts';
import type { Owner } from '#common/modes.ts';
import { type Page, type PageQuery, readPageByTime } from '#common/platform/mongo/read-page.ts';
import { readWebhook } from '../registry/read-webhooks.ts';
import { Webhook, type WebhookRecord } from '../registry/webhook.model.ts';
import {
  Delivery,
  DeliveryAttempt,
  type DeliveryAttemptRecord,
  type DeliveryRecord,
  type DeliveryState,
  deliveriesByEndpoint,
} from './delivery.model.ts';
import type { DeliveryWithAttempts } from './delivery.view.ts';

export type DeliveryFilter = PageQuery & {
  state?: DeliveryState | undefined;
  event?: EventKind | undefined;
  mailJobId?: string | undefined;
};

/** Attempts per delivery in answers: all of the retry schedule. Manual retries can add more. */
const maxAttempts = 10;

/** Returns a page of a webhook's deliveries in any state, newest first, with attempts. Throws NOT_FOUND. */
export async function listDeliveries(
  owner: Owner,
  webhookId: string,
  { state, event, mailJobId, ...query }: DeliveryFilter,
  cursors: CursorCodec,
): Promise<Page<DeliveryWithAttempts>> {
  await readWebhook(owner, webhookId);
  const { organizationId, mode } = owner;
  const list = {
    model: Delivery as never,
    timeField: 'createdAt' as const,
    filter: {
      endpointId: webhookId,
      organizationId,
      mode,
      event: event ?? { $in: eventKinds },
      ...(state && { state }),
      ...(mailJobId && { eventId: { $in: await findEventIds(owner, mailJobId) } }),
    },
    // Filters by mail job and the other states select few rows and use indexes of their own.
    hint: mailJobId === undefined && (state ?? 'delivered') === 'delivered' ? deliveriesByEndpoint : undefined,
    projection: { body: 0 },
    scope: { route: 'deliveries', organizationId, mode, webhookId, state, event, mailJobId },
  };
  const page = await readPageByTime<DeliveryRecord>(list, query, cursors);
  return { ...page, rows: await withAttempts(await withCurrentUrls(page.rows)) };
}

/**
 * A mail job has at most five events, and one for each item that came back. Deliveries are indexed by event: this saves
 * an index by mail job.
 */
async function findEventIds({ organizationId, mode }: Owner, mailJobId: string): Promise<string[]> {
  const events = await Event.find({ ...ofMailJob(mailJobId), organizationId, mode })
    .select({ _id: 1 })
    .lean();
  return events.map(({ _id }) => _id);
}

/** Adds the last `maxAttempts` attempts to deliveries, newest first. */
export async function withAttempts(deliveries: readonly DeliveryRecord[]): Promise<DeliveryWithAttempts[]> {
  const tried = deliveries.filter(({ attempt }) => attempt > 0);
  const recent = tried.map(({ _id, attempt }) => ({ deliveryId: _id, number: { $gt: attempt - maxAttempts } }));
  const attempts =
    recent.length === 0
      ? []
      : await DeliveryAttempt.find({ $or: recent }).sort({ number: -1 }).lean<DeliveryAttemptRecord[]>();
  const byDelivery = Map.groupBy(attempts, ({ deliveryId }) => deliveryId);
  return deliveries.map((delivery) => ({ ...delivery, attempts: byDelivery.get(delivery._id) ?? [] }));
}

/** Shows due deliveries with the current URL of their webhook, where they will go. Other deliveries keep their URL. */
export async function withCurrentUrls<Row extends DeliveryRecord>(deliveries: readonly Row[]): Promise<Row[]> {
  const waiting = deliveries.filter(({ state, webhookId }) => state === 'due' && webhookId !== null);
  if (waiting.length === 0) return [...deliveries];
  const webhookIds = [...new Set(waiting.map(({ webhookId }) => webhookId))];
  const webhooks = await Webhook.find({ _id: { $in: webhookIds } })
    .select({ url: 1 })
    .lean<Pick<WebhookRecord, '_id' | 'url'>[]>();
  const urls = new Map<string | null, string>(webhooks.map(({ _id, url }) => [_id, url]));
  return deliveries.map((delivery) => {
    const url = delivery.state === 'due' ? urls.get(delivery.webhookId) : undefined;
    return url === undefined ? delivery : { ...delivery, url };
  });
}
