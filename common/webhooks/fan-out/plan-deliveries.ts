import type { EventRecord } from '#common/events/event.model.ts';
import { newId } from '#common/ids.ts';
import type { Owner } from '#common/modes.ts';
import type { Log } from '#common/platform/process/log.ts';
import { consentEnded, type DeliveryRecord, tooLarge } from '../deliveries/delivery.model.ts';
import type { DeliveryMetrics } from '../deliveries/delivery-metrics.ts';
import { jobEndpointId } from '../endpoints/endpoint.model.ts';
import type { EndpointRef } from '../endpoints/wake-endpoints.ts';
import { type Listeners, ownerKey } from './listeners.ts';

type Target = Pick<DeliveryRecord, 'endpointId' | 'webhookId' | 'url' | 'epoch' | 'grantId' | 'lastResult'> & {
  isActive: boolean;
};

export type PlanDeps = { log: Log; metrics: DeliveryMetrics };

/** Real events have at most 2 kB: a body above this limit is an internal fault and is never sent. */
const maxBodyBytes = 64 * 1024;

/** Returns the deliveries of an event: one per webhook subscribed to its kind, or one to the mail job's own URL. */
export function planDeliveries(event: EventRecord, listeners: Listeners, at: Date, deps: PlanDeps): DeliveryRecord[] {
  return targetsOf(event, listeners).map((target) => toDelivery(event, target, at, deps));
}

/** Returns the endpoints that have new due deliveries from these events. */
export function endpointsOf(events: readonly EventRecord[], listeners: Listeners): EndpointRef[] {
  return events.flatMap((event) =>
    targetsOf(event, listeners)
      .filter(({ isActive }) => isActive)
      .map(({ endpointId, webhookId }) => ({ ...ownerOf(event), endpointId, webhookId })),
  );
}

const ownerOf = ({ organizationId, mode }: Owner): Owner => ({ organizationId, mode });

function targetsOf(event: EventRecord, { webhooks, endedGrants }: Listeners): Target[] {
  const { webhookUrl, grantId } = event;
  if (webhookUrl !== null) {
    const target = { endpointId: jobEndpointId(event, webhookUrl), webhookId: null, url: webhookUrl, epoch: 0 };
    if (grantId === undefined) return [{ ...target, isActive: true, lastResult: null }];
    const hasEnded = endedGrants.has(grantId);
    return [{ ...target, grantId, isActive: !hasEnded, lastResult: hasEnded ? consentEnded : null }];
  }
  return (webhooks.get(ownerKey(event)) ?? [])
    .filter(({ events }) => events.includes(event.kind))
    .map(({ _id, url, status, epoch }) => {
      return { endpointId: _id, webhookId: _id, url, epoch, isActive: status === 'active', lastResult: null };
    });
}

function toDelivery(event: EventRecord, target: Target, at: Date, { log, metrics }: PlanDeps): DeliveryRecord {
  const { isActive, ...destination } = target;
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
    ...destination,
    eventId: event._id,
    event: event.kind,
    mailJobId: event.mailJobId ?? event.subjectId,
    body: event.body,
    state: isTooLarge ? 'failed' : isDue ? 'due' : 'discarded',
    attempt: 0,
    nextAttemptAt: isDue ? at : null,
    leaseToken: null,
    isLowPriority: false,
    isManual: false,
    ...(isTooLarge && { lastResult: tooLarge }),
    ...(event.clockId !== undefined && { clock: { id: event.clockId } }),
    ...(event.traceparent !== undefined && { traceparent: event.traceparent }),
    eventAt: event.at,
    createdAt: at,
    updatedAt: at,
  };
}
