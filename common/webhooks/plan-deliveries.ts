import { newId } from '../ids.ts';
import type { Owner } from '../modes.ts';
import type { Log } from '../platform/log.ts';
import { type DeliveryRecord, tooLarge } from './delivery.model.ts';
import type { DeliveryMetrics } from './delivery-metrics.ts';
import { jobEndpointId } from './endpoint.model.ts';
import type { EventRecord } from './event.model.ts';
import { type ListenersOf, ownerKey } from './listeners.ts';
import type { Wanted } from './wake-endpoints.ts';

type Target = { endpointId: string; webhookId: string | null; url: string; isActive: boolean };

export type PlanDeps = { log: Log; metrics: DeliveryMetrics };

/**
 * Far above what any of our events has (2 kB at most): a larger one is a fault of ours, and no receiver must see it.
 */
const maxBodyBytes = 64 * 1024;

/** The deliveries of an event: one for each webhook that wants its kind, or for the job's own address alone. */
export function planDeliveries(
  event: EventRecord,
  listenersOf: ListenersOf,
  at: Date,
  deps: PlanDeps,
): DeliveryRecord[] {
  return targetsOf(event, listenersOf).map((target) => toDelivery(event, target, at, deps));
}

/** The endpoints that are to send deliveries of these events, with the address that each would be sent to. */
export function endpointsOf(events: readonly EventRecord[], listenersOf: ListenersOf): (Wanted & { url: string })[] {
  return events.flatMap((event) =>
    targetsOf(event, listenersOf)
      .filter(({ isActive }) => isActive)
      .map(({ endpointId, webhookId, url }) => ({ ...ownerOf(event), endpointId, webhookId, url })),
  );
}

const ownerOf = ({ organizationId, mode }: Owner): Owner => ({ organizationId, mode });

function targetsOf(event: EventRecord, listenersOf: ListenersOf): Target[] {
  const { webhookUrl } = event;
  if (webhookUrl !== null) {
    return [{ endpointId: jobEndpointId(event, webhookUrl), webhookId: null, url: webhookUrl, isActive: true }];
  }
  const listeners = listenersOf.get(ownerKey(event)) ?? [];
  return listeners
    .filter(({ events }) => events.includes(event.kind))
    .map(({ _id, url, status }) => ({ endpointId: _id, webhookId: _id, url, isActive: status === 'active' }));
}

function toDelivery(event: EventRecord, target: Target, at: Date, { log, metrics }: PlanDeps): DeliveryRecord {
  const { isActive, ...place } = target;
  const isTooLarge = Buffer.byteLength(event.body) > maxBodyBytes;
  if (isTooLarge) {
    log.error({ eventId: event._id }, 'event too large to be delivered');
    metrics.deliveries.inc({ result: 'failed', error_class: tooLarge });
  } else if (!isActive) {
    metrics.deliveries.inc({ result: 'discarded', error_class: 'none' });
  }
  const isDue = isActive && !isTooLarge;
  return {
    _id: newId('whd'),
    ...ownerOf(event),
    ...place,
    eventId: event._id,
    event: event.kind,
    mailJobId: event.subjectId,
    body: event.body,
    state: isTooLarge ? 'failed' : isDue ? 'due' : 'discarded',
    attempt: 0,
    nextAttemptAt: isDue ? at : null,
    leaseToken: null,
    isLate: false,
    isManual: false,
    lastResult: isTooLarge ? tooLarge : null,
    eventAt: event.at,
    createdAt: at,
    updatedAt: at,
  };
}
