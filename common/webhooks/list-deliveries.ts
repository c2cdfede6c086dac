import type { CursorCodec } from '../cursor.ts';
import type { Owner } from '../modes.ts';
import type { Page } from '../platform/read-page.ts';
import { readPageByTime } from '../platform/read-page-by-time.ts';
import {
  Delivery,
  DeliveryAttempt,
  type DeliveryAttemptRecord,
  type DeliveryRecord,
  type DeliveryState,
  endpointsDeliveries,
} from './delivery.model.ts';
import type { DeliveryWithAttempts } from './delivery.view.ts';
import { Event, type EventKind, eventKinds } from './event.model.ts';
import { readWebhook } from './read-webhook.ts';

export type DeliveryFilter = {
  state?: DeliveryState | undefined;
  event?: EventKind | undefined;
  mailJobId?: string | undefined;
  limit: number;
  cursor?: string | undefined;
};

/** Attempts shown of each delivery: all that the schedule makes; there may be more when its owner asked for them. */
const maxAttempts = 10;

/** What a webhook was sent, is being sent or was not sent, newest first, with the attempts. Throws NOT_FOUND. */
export async function listDeliveries(
  owner: Owner,
  webhookId: string,
  { state, event, mailJobId, limit, cursor }: DeliveryFilter,
  cursors: CursorCodec,
): Promise<Page<DeliveryWithAttempts>> {
  await readWebhook(owner, webhookId);
  const { organizationId, mode } = owner;
  const page = await readPageByTime<DeliveryRecord>({
    model: Delivery as never,
    timeField: 'createdAt',
    filter: {
      endpointId: webhookId,
      organizationId,
      mode,
      event: event ?? { $in: eventKinds },
      ...(state && { state }),
      ...(mailJobId && { eventId: { $in: await findEventIds(owner, mailJobId) } }),
    },
    // Of few letters, and in most states, there are few: those have an index of their own.
    hint: mailJobId === undefined && (state ?? 'delivered') === 'delivered' ? endpointsDeliveries : undefined,
    projection: { body: 0 },
    scope: { route: 'deliveries', organizationId, mode, webhookId, state, event, mailJobId },
    cursors,
    cursor,
    limit,
  });
  return { ...page, rows: await withAttempts(page.rows) };
}

/** A mail job has five events at most, and a delivery is looked up by its event: no index by mail job is needed. */
async function findEventIds({ organizationId, mode }: Owner, mailJobId: string): Promise<string[]> {
  const events = await Event.find({ subjectId: mailJobId, organizationId, mode }).select({ _id: 1 }).lean();
  return events.map(({ _id }) => _id);
}

/** The deliveries with the last of their attempts, the newest first. */
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
