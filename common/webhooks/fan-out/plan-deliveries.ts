import type { EventRecord } from '#common/events/event.model.ts';
import type { Log } from '#common/platform/process/log.ts';
import { consentEnded, type DeliveryRecord, tooLarge } from '../deliveries/delivery.model.ts';
import type { DeliveryMetrics } from '../deliveries/delivery-metrics.ts';
import { newDelivery } from '../deliveries/new-delivery.ts';
import { jobEndpointId } from '../endpoints/endpoint.model.ts';
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
  const failed = isTooLarge && ({ state: 'failed', nextAttemptAt: null, lastResult: tooLarge } as const);
  const discarded = !isActive && ({ state: 'discarded', nextAttemptAt: null } as const);
  return newDelivery(event, { ...destination, ...(failed || discarded) }, at);
}
