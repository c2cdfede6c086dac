import type { Claim } from '../platform/due-work.ts';
import { Delivery, type DeliveryRecord } from './delivery.model.ts';
import type { EndpointRecord } from './endpoint.model.ts';

/** Rows taken at once: enough to write their results in bulk, few enough to be through with within a lease or two. */
const maxBatch = 100;

/**
 * Takes the deliveries of a leased endpoint that are due, the oldest first, and stamps the lease on them. Rows that a
 * worker left behind when it died are taken again: the lease is ours, so nobody else is sending them.
 */
export async function takeBatch({ id, token }: Claim<EndpointRecord>, now: Date): Promise<DeliveryRecord[]> {
  await Delivery.updateMany(
    { endpointId: id, state: 'sending', leaseToken: { $ne: token } },
    { state: 'due', leaseToken: null, nextAttemptAt: now },
  );
  const due = await Delivery.find({ endpointId: id, state: 'due', nextAttemptAt: { $lte: now } })
    .sort({ nextAttemptAt: 1 })
    .limit(maxBatch)
    .lean<DeliveryRecord[]>();
  const ids = due.map(({ _id }) => _id);
  if (ids.length === 0) return [];
  await Delivery.updateMany({ _id: { $in: ids }, state: 'due' }, { state: 'sending', leaseToken: token });

  // Asked for again: a deletion may have discarded some since they were found.
  return await Delivery.find({ _id: { $in: ids }, state: 'sending', leaseToken: token })
    .sort({ nextAttemptAt: 1 })
    .lean<DeliveryRecord[]>();
}

/** When the endpoint's next delivery falls due; null when none waits. */
export async function findNextDue(endpointId: string): Promise<Date | null> {
  const next = await Delivery.findOne({ endpointId, state: 'due' })
    .sort({ nextAttemptAt: 1 })
    .select({ nextAttemptAt: 1 })
    .lean<Pick<DeliveryRecord, 'nextAttemptAt'>>();
  return next?.nextAttemptAt ?? null;
}

/**
 * Gives up all that waits for an endpoint that is deleted or disabled. Whoever holds the endpoint's lease also gives up
 * what a worker that died was sending: nobody else will come back for it.
 */
export async function discardWaiting(endpointId: string, at: Date, isLeased: boolean): Promise<void> {
  await Delivery.updateMany(
    { endpointId, state: { $in: isLeased ? ['due', 'sending'] : ['due'] } },
    { state: 'discarded', nextAttemptAt: null, leaseToken: null, updatedAt: at },
  );
}

/** Whether a worker is still busy with deliveries of this endpoint. */
export async function isSending(endpointId: string): Promise<boolean> {
  return (await Delivery.exists({ endpointId, state: 'sending' })) !== null;
}
