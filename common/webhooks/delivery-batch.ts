import { type Claim, unjournaled } from '../platform/due-work.ts';
import { rowsOf } from '../platform/mongo.ts';
import { Delivery, type DeliveryRecord } from './delivery.model.ts';
import type { EndpointRecord } from './endpoint.model.ts';
import { endOfLife } from './retry-schedule.ts';

/** Rows taken at once: enough for few round trips, few enough to be through with within a lease or two. */
export const maxBatch = 100;

// Rows as they are: what is read and written here is many times more than anywhere else.
const rows = () => rowsOf<DeliveryRecord>(Delivery);

/** `expired` counts the rows that were too old to be sent, and are failed now. */
export type Batch = { deliveries: DeliveryRecord[]; expired: number };

/**
 * The deliveries of an endpoint that are due, the oldest first. From its third attempt on a delivery waits until no
 * first attempt does.
 */
export async function findBatch(endpointId: string, now: Date, limit = maxBatch): Promise<DeliveryRecord[]> {
  const found = await findDue(endpointId, { lateness: [false], now, limit });
  if (found.length < limit && !found.some(({ attempt }) => attempt === 0)) {
    found.push(...(await findDue(endpointId, { lateness: [null, true], now, limit: limit - found.length })));
  }
  return found;
}

/**
 * The one delivery that shows whether a paused endpoint is well again: what its owner has asked for, if that is due, or
 * else the first of all.
 */
export async function findProbe({ _id: endpointId, asked }: EndpointRecord, now: Date): Promise<DeliveryRecord[]> {
  const wanted = { endpointId, state: 'due' as const, nextAttemptAt: { $lte: now } };
  const found = asked?.deliveryId ? await rows().findOne({ _id: asked.deliveryId, ...wanted }) : null;
  return found ? [found] : await findBatch(endpointId, now, 1);
}

/**
 * Stamps the lease on deliveries that were found: those that are still due are ours to send. What has come to the end
 * of its life while it waited fails without an attempt.
 */
export async function takeBatch(
  claim: Claim<EndpointRecord>,
  found: readonly DeliveryRecord[],
  now: Date,
): Promise<Batch> {
  const [old, fresh] = [found.filter((row) => isTooOld(row, now)), found.filter((row) => !isTooOld(row, now))];
  const expired = await expire(old, now);
  return { deliveries: await stamp(fresh, claim.token, now), expired };
}

type Search = { lateness: (boolean | null)[]; now: Date; limit: number };

async function findDue(endpointId: string, { lateness, now, limit }: Search): Promise<DeliveryRecord[]> {
  return await rows()
    .find({ endpointId, state: 'due', isLate: { $in: lateness }, nextAttemptAt: { $lte: now } })
    .sort({ nextAttemptAt: 1 })
    .limit(limit)
    .toArray();
}

/** One that its owner has asked for is sent whatever its age. */
function isTooOld(delivery: DeliveryRecord, now: Date): boolean {
  return !delivery.isManual && endOfLife(delivery) < now;
}

async function expire(old: readonly DeliveryRecord[], now: Date): Promise<number> {
  if (old.length === 0) return 0;
  const { modifiedCount } = await rows().updateMany(
    { _id: { $in: old.map(({ _id }) => _id) }, state: 'due' },
    { $set: { state: 'failed', nextAttemptAt: null, updatedAt: now } },
  );
  return modifiedCount;
}

async function stamp(found: DeliveryRecord[], token: string, now: Date): Promise<DeliveryRecord[]> {
  if (found.length === 0) return found;
  const ids = found.map(({ _id }) => _id);
  const { modifiedCount } = await rows().updateMany(
    { _id: { $in: ids }, state: 'due' },
    { $set: { state: 'sending', leaseToken: token, takenAt: now } },
    unjournaled,
  );
  if (modifiedCount === found.length) return found;
  // Asked for again: a deletion has discarded some since they were found.
  const ours = await rows()
    .find({ _id: { $in: ids }, state: 'sending', leaseToken: token })
    .project<Pick<DeliveryRecord, '_id'>>({ _id: 1 })
    .toArray();
  const oursIds = new Set(ours.map(({ _id }) => _id));
  return found.filter(({ _id }) => oursIds.has(_id));
}

/** Gives rows back that were not tried after all. */
export async function giveBack(deliveries: readonly DeliveryRecord[], token: string): Promise<void> {
  if (deliveries.length === 0) return;
  await rows().updateMany(
    { _id: { $in: deliveries.map(({ _id }) => _id) }, leaseToken: token },
    { $set: { state: 'due', leaseToken: null } },
    unjournaled,
  );
}

/** When the endpoint's next delivery falls due; null when none waits. */
export async function findNextDue(endpointId: string): Promise<Date | null> {
  const next = await rows().findOne(
    { endpointId, state: 'due', isLate: { $in: [null, false, true] } },
    { sort: { nextAttemptAt: 1 }, projection: { nextAttemptAt: 1 } },
  );
  return next?.nextAttemptAt ?? null;
}

/** Whether a worker is still busy with deliveries of this endpoint. */
export async function isSending(endpointId: string): Promise<boolean> {
  return (await Delivery.exists({ endpointId, state: 'sending' })) !== null;
}
