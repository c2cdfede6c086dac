import {
  type Claim,
  type Finish,
  idHint,
  isAmong,
  reloadClaim,
  unjournaled,
} from '#common/platform/due-work/due-work.ts';
import type { PauseView } from '#common/platform/due-work/pauses.ts';
import { rowsOf } from '#common/platform/mongo/mongo.ts';
import type { EndpointRecord } from '../endpoints/endpoint.model.ts';
import { wakeEndpoints } from '../endpoints/wake-endpoints.ts';
import { Delivery, type DeliveryRecord, pendingByEndpoint } from './delivery.model.ts';
import { expiryOf } from './retry-schedule.ts';

/** Rows per claim: large enough to save round trips, small enough to be sent within one or two leases. */
export const maxBatch = 100;

// Bypasses mongoose: this is the hottest path of the database.
const rows = () => rowsOf<DeliveryRecord>(Delivery);

/**
 * `expired`: number of rows that were too old and have failed. `current`: the claim as read after the rows were
 * claimed; null when the lease was lost, and then no row is claimed.
 */
type ClaimedBatch = { deliveries: DeliveryRecord[]; expired: number; current: Claim<EndpointRecord> | null };

/** The deliveries of an endpoint, which belongs to the organization. */
export type OfEndpoint = { organizationId: string; endpointId: string };
/** Those in one epoch of its webhook. */
type Backlog = OfEndpoint & { epoch: number };

/**
 * Returns the due deliveries of a backlog, oldest first. Third and later attempts have low priority: they wait until no
 * first attempt is due.
 */
export async function findDueDeliveries(backlog: Backlog, now: Date, limit = maxBatch): Promise<DeliveryRecord[]> {
  const found = await findDue(backlog, { isLowPriority: false, now, limit });
  if (found.length < limit && !found.some(({ attempt }) => attempt === 0)) {
    found.push(...(await findDue(backlog, { isLowPriority: true, now, limit: limit - found.length })));
  }
  return found;
}

/**
 * Returns the delivery to probe a paused endpoint with: the last manual retry if it is due, otherwise the first due
 * delivery.
 */
export async function findProbe(
  backlog: Backlog,
  manualRetry: EndpointRecord['manualRetry'],
  now: Date,
): Promise<DeliveryRecord[]> {
  const wanted = { ...backlog, state: 'due' as const, nextAttemptAt: { $lte: now } };
  const found = manualRetry?.deliveryId
    ? await rows().findOne({ _id: manualRetry.deliveryId, ...wanted }, idHint)
    : null;
  return found ? [found] : await findDueDeliveries(backlog, now, 1);
}

/**
 * Claims deliveries by compare-and-set: rows that changed since they were found are skipped. Expired deliveries fail
 * without an attempt. `paused` prolongs their time. `save` is written to the endpoint's row together with the check of the lease.
 */
export async function claimDeliveries(
  claim: Claim<EndpointRecord>,
  found: readonly DeliveryRecord[],
  { now, paused }: { now: Date; paused: PauseView },
  save: Omit<Finish, 'nextAt'> = {},
): Promise<ClaimedBatch> {
  // A manual retry of a final delivery never expires.
  const isOld = (row: DeliveryRecord) => !row.isManual && expiryOf(row, paused) < now;
  const [old, fresh] = [found.filter(isOld), found.filter((row) => !isOld(row))];
  const expired = await expire(old, now);
  const deliveries = await stamp(fresh, claim.token, now);
  // Check the lease after stamping: this process may have stalled since the find, and another may hold the endpoint.
  const current = await reloadClaim(claim, save);
  if (current) return { deliveries, expired, current };
  await releaseDeliveries(deliveries, claim.token);
  const { organizationId, mode, webhookId } = claim.row;
  // The new holder may have released the endpoint while these rows looked claimed.
  if (deliveries.length > 0) await wakeEndpoints([{ organizationId, mode, webhookId, endpointId: claim.id }], now);
  return { deliveries: [], expired, current };
}

type Search = { isLowPriority: boolean; now: Date; limit: number };

async function findDue(backlog: Backlog, { isLowPriority, now, limit }: Search): Promise<DeliveryRecord[]> {
  return await rows()
    .find({ ...backlog, state: 'due', isLowPriority, nextAttemptAt: { $lte: now } })
    .sort({ nextAttemptAt: 1 })
    .hint(pendingByEndpoint)
    .limit(limit)
    .toArray();
}

/**
 * Matches rows that are unchanged since they were found: an attempt or a manual retry gives a row a later
 * `nextAttemptAt` than any row found.
 */
const asFound = (found: readonly DeliveryRecord[]) => ({
  ...isAmong(found),
  state: 'due' as const,
  nextAttemptAt: { $in: [...new Set(found.map(({ nextAttemptAt }) => nextAttemptAt?.getTime() ?? 0))].map(toDate) },
  attempt: { $in: [...new Set(found.map(({ attempt }) => attempt))] },
});

const toDate = (ms: number) => new Date(ms);

async function expire(old: readonly DeliveryRecord[], now: Date): Promise<number> {
  if (old.length === 0) return 0;
  const failed = { state: 'failed', nextAttemptAt: null, updatedAt: now } as const;
  const { modifiedCount } = await rows().updateMany(asFound(old), { $set: failed }, idHint);
  return modifiedCount;
}

async function stamp(found: DeliveryRecord[], token: string, now: Date): Promise<DeliveryRecord[]> {
  if (found.length === 0) return found;
  const claimed = { state: 'sending', leaseToken: token, takenAt: now } as const;
  const { modifiedCount } = await rows().updateMany(asFound(found), { $set: claimed }, { ...idHint, ...unjournaled });
  if (modifiedCount === found.length) return found;
  // Some were discarded, retried manually or claimed by another worker since they were found.
  const ours = await rows()
    .find({ ...isAmong(found), state: 'sending', leaseToken: token }, idHint)
    .project<Pick<DeliveryRecord, '_id'>>({ _id: 1 })
    .toArray();
  const oursIds = new Set(ours.map(({ _id }) => _id));
  return found.filter(({ _id }) => oursIds.has(_id));
}

/** Makes claimed deliveries that were not attempted due again. */
export async function releaseDeliveries(deliveries: readonly DeliveryRecord[], token: string): Promise<void> {
  if (deliveries.length === 0) return;
  await rows().updateMany(
    { ...isAmong(deliveries), state: 'sending', leaseToken: token },
    { $set: { state: 'due', leaseToken: null } },
    { ...idHint, ...unjournaled },
  );
}

/** Returns when the next delivery of a backlog falls due; null when none is waiting. */
export async function findNextDue(backlog: Backlog): Promise<Date | null> {
  const next = await rows().findOne(
    { ...backlog, state: 'due', isLowPriority: { $in: [false, true] } },
    { sort: { nextAttemptAt: 1 }, projection: { nextAttemptAt: 1 }, hint: pendingByEndpoint },
  );
  return next?.nextAttemptAt ?? null;
}

/**
 * Returns a delivery that is due (of the earliest such epoch) or else being sent; null when there is none. A single
 * query covers both states: between two queries a delivery could change its state and be missed.
 */
export async function findFirstPending(endpoint: OfEndpoint): Promise<Pick<DeliveryRecord, 'state' | 'epoch'> | null> {
  return await rows().findOne(
    { ...endpoint, state: { $in: ['due', 'sending'] } },
    { sort: { state: 1, epoch: 1 }, projection: { _id: 0, state: 1, epoch: 1 }, hint: pendingByEndpoint },
  );
}

/** Whether any delivery of this endpoint is claimed by a worker. */
export async function isSending(endpoint: OfEndpoint): Promise<boolean> {
  return (await Delivery.exists({ ...endpoint, state: 'sending' }).hint(pendingByEndpoint)) !== null;
}
