import type { CursorCodec } from '../cursor.ts';
import { AppError } from '../errors.ts';
import type { Owner } from '../modes.ts';
import type { Page } from '../platform/read-page.ts';
import { readPageByTime } from '../platform/read-page-by-time.ts';
import { Delivery, type DeliveryRecord } from './delivery.model.ts';
import { Event, type EventKind, type EventRecord, eventKinds, ownersEvents } from './event.model.ts';
import type { SummaryEvent } from './event.view.ts';

export type EventFilter = {
  event?: EventKind | undefined;
  mailJobId?: string | undefined;
  createdAfter?: Date | undefined;
  createdBefore?: Date | undefined;
  limit: number;
  cursor?: string | undefined;
};

/** An owner's events, newest first; those of the last 90 days are there. */
export async function listEvents(
  { organizationId, mode }: Owner,
  { event, mailJobId, createdAfter, createdBefore, limit, cursor }: EventFilter,
  cursors: CursorCodec,
): Promise<Page<SummaryEvent>> {
  return await readPageByTime<SummaryEvent>({
    model: Event as never,
    timeField: 'at',
    // All kinds by name: the index has them before the time.
    filter: { organizationId, mode, kind: event ?? { $in: eventKinds }, ...(mailJobId && { subjectId: mailJobId }) },
    hint: mailJobId === undefined ? ownersEvents : undefined,
    projection: { kind: 1, subjectId: 1, mode: 1, at: 1 },
    after: createdAfter,
    before: createdBefore,
    scope: { route: 'events', organizationId, mode, event, mailJobId },
    cursors,
    cursor,
    limit,
  });
}

/** No owner can have more active webhooks, whatever the operator allows. */
const maxDeliveries = 200;

/** An event of this owner and its deliveries, also that to a mail job's own address. Throws NOT_FOUND. */
export async function readEvent(
  { organizationId, mode }: Owner,
  eventId: string,
): Promise<{ event: EventRecord; deliveries: DeliveryRecord[] }> {
  const event = await Event.findOne({ _id: eventId, organizationId, mode }).lean<EventRecord>();
  if (!event) throw new AppError('NOT_FOUND');
  const deliveries = await Delivery.find({ eventId, organizationId, mode })
    .sort({ endpointId: 1 })
    .limit(maxDeliveries)
    .lean<DeliveryRecord[]>();
  return { event, deliveries };
}

/** A mail job's events, the first one first, each with its deliveries, 200 in all. */
export async function readEventsOfMailJob(
  { organizationId, mode }: Owner,
  mailJobId: string,
): Promise<{ event: SummaryEvent; deliveries: DeliveryRecord[] }[]> {
  const events = await Event.find({ subjectId: mailJobId, organizationId, mode })
    .select({ kind: 1, subjectId: 1, mode: 1, at: 1 })
    .limit(eventKinds.length)
    .lean<SummaryEvent[]>();
  const deliveries = await Delivery.find({ eventId: { $in: events.map(({ _id }) => _id) }, organizationId, mode })
    .select({ body: 0 })
    .sort({ eventId: 1, endpointId: 1 })
    .limit(maxDeliveries)
    .lean<DeliveryRecord[]>();
  const byEvent = Map.groupBy(deliveries, ({ eventId }) => eventId);
  return events
    .toSorted((left, right) => left.at.getTime() - right.at.getTime())
    .map((event) => ({ event, deliveries: byEvent.get(event._id) ?? [] }));
}
