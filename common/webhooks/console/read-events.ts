import type { CursorCodec } from '#common/cursor.ts';
import { notFound } from '#common/errors.ts';
import {
  Event,
  type EventKind,
  type EventRecord,
  eventKinds,
  eventsByOwner,
  mailEventKinds,
  ofMailJob,
} from '#common/events/event.model.ts';
import type { Owner } from '#common/modes.ts';
import { type Page, type PageQuery, readPageByTime } from '#common/platform/mongo/read-page.ts';
import { Delivery, type DeliveryRecord } from '../deliveries/delivery.model.ts';
import { withCurrentUrls } from '../deliveries/list-deliveries.ts';
import type { SummaryEvent } from './event.view.ts';

export type EventFilter = PageQuery & {
  event?: EventKind | undefined;
  mailJobId?: string | undefined;
  createdAfter?: Date | undefined;
  createdBefore?: Date | undefined;
};

/** Returns a page of an owner's events of the last 90 days, newest first. */
export async function listEvents(
  { organizationId, mode }: Owner,
  { event, mailJobId, createdAfter, createdBefore, ...page }: EventFilter,
  cursors: CursorCodec,
): Promise<Page<SummaryEvent>> {
  const list = {
    model: Event as never,
    timeField: 'at' as const,
    // Lists all kinds because the index has the kind before the time.
    filter: {
      organizationId,
      mode,
      kind: event ?? { $in: eventKinds },
      ...(mailJobId && { $and: [ofMailJob(mailJobId)] }),
    },
    hint: mailJobId === undefined ? eventsByOwner : undefined,
    projection: { kind: 1, subjectId: 1, mailJobId: 1, mode: 1, at: 1 },
    after: createdAfter,
    before: createdBefore,
    scope: { route: 'events', organizationId, mode, event, mailJobId },
  };
  return await readPageByTime<SummaryEvent>(list, page, cursors);
}

/** Bounds the read. Above the number of active webhooks that an operator can allow. */
const maxDeliveries = 200;

/** Returns an event of this owner and its deliveries, including that to the mail job's own URL. Throws NOT_FOUND. */
export async function readEvent(
  { organizationId, mode }: Owner,
  eventId: string,
): Promise<{ event: EventRecord; deliveries: DeliveryRecord[] }> {
  const event = await Event.findOne({ _id: eventId, organizationId, mode }).orFail(notFound).lean<EventRecord>();
  const deliveries = await Delivery.find({ eventId, organizationId, mode })
    .sort({ endpointId: 1 })
    .limit(maxDeliveries)
    .lean<DeliveryRecord[]>();
  return { event, deliveries: await withCurrentUrls(deliveries) };
}

/** Those of the mail job, and one for each of its at most 100 items. */
const maxEvents = mailEventKinds.length + 100;

/** Returns the events of a mail job and its items, oldest first, with at most 200 deliveries in total. */
export async function readEventsOfMailJob(
  { organizationId, mode }: Owner,
  mailJobId: string,
): Promise<{ event: SummaryEvent; deliveries: DeliveryRecord[] }[]> {
  const events = await Event.find({ ...ofMailJob(mailJobId), organizationId, mode })
    .select({ kind: 1, subjectId: 1, mailJobId: 1, mode: 1, at: 1 })
    .limit(maxEvents)
    .lean<SummaryEvent[]>();
  const deliveries = await Delivery.find({ eventId: { $in: events.map(({ _id }) => _id) }, organizationId, mode })
    .select({ body: 0 })
    .sort({ eventId: 1, endpointId: 1 })
    .limit(maxDeliveries)
    .lean<DeliveryRecord[]>();
  const byEvent = Map.groupBy(await withCurrentUrls(deliveries), ({ eventId }) => eventId);
  return events
    .toSorted((left, right) => left.at.getTime() - right.at.getTime())
    .map((event) => ({ event, deliveries: byEvent.get(event._id) ?? [] }));
}
