import { Bulk } from '#common/bulk/model/bulk.model.ts';
import { Event } from '#common/events/event.model.ts';
import { MailJob } from '#common/mail-jobs/model/mail-job.model.ts';
import { Delivery, type DeliveryRecord } from '#common/webhooks/deliveries/delivery.model.ts';
import type { SoakCustomer } from './customers.ts';
import type { World } from './perform.ts';

/** What is left to do. All are 0 when every letter has its last status and every event was delivered. */
export type Backlog = { letters: number; events: number; deliveries: number; bulks: number };

export async function readBacklog(): Promise<Backlog> {
  const [letters, events, deliveries, bulks] = await Promise.all([
    MailJob.countDocuments({ status: { $in: ['queued', 'printed'] } }),
    Event.countDocuments({ fannedOutAt: null }),
    Delivery.countDocuments({ state: { $in: ['due', 'sending'] } }),
    Bulk.countDocuments({ state: 'sending' }),
  ]);
  return { letters, events, deliveries, bulks };
}

export const isEmpty = (backlog: Backlog) => Object.values(backlog).every((count) => count === 0);

/**
 * Asks for the deliveries that wait for a retry, as a customer does whose receiver works again: the next retry may be
 * minutes away. Returns their number.
 */
export async function redeliverWaiting({ caller, customers }: World): Promise<number> {
  const all = new Map<string, SoakCustomer>(
    [...customers.test, ...customers.live].map((each) => [each.webhookId, each]),
  );
  const waiting = await Delivery.find({ state: 'due', attempt: { $gt: 0 } })
    .select({ _id: 1, endpointId: 1 })
    .lean<Pick<DeliveryRecord, '_id' | 'endpointId'>[]>();
  for (const { _id, endpointId } of waiting) {
    const key = all.get(endpointId)?.key ?? '';
    const path = `/v1/webhooks/${endpointId}/deliveries/${_id}/redeliver`;
    // 409: a worker is sending it at this moment.
    await caller.ask({ kind: 'redeliver', method: 'POST', path, key });
  }
  return waiting.length;
}
