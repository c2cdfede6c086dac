import type { EventRecord } from '#common/events/event.model.ts';
import { newId } from '#common/ids.ts';
import type { DeliveryRecord } from './delivery.model.ts';

type Destination = Pick<DeliveryRecord, 'endpointId' | 'webhookId' | 'url' | 'epoch'> & Partial<DeliveryRecord>;

/** Returns the delivery of an event to an endpoint, due at once unless `destination` says otherwise. */
export function newDelivery(event: EventRecord, destination: Destination, at: Date): DeliveryRecord {
  const { organizationId, mode, body, clockId, traceparent } = event;
  return {
    _id: newId('whd'),
    organizationId,
    mode,
    eventId: event._id,
    event: event.kind,
    mailJobId: event.mailJobId ?? event.subjectId,
    body,
    state: 'due',
    attempt: 0,
    nextAttemptAt: at,
    leaseToken: null,
    isLowPriority: false,
    isManual: false,
    lastResult: null,
    ...(clockId !== undefined && { clock: { id: clockId } }),
    ...(traceparent !== undefined && { traceparent }),
    eventAt: event.at,
    createdAt: at,
    updatedAt: at,
    ...destination,
  };
}
