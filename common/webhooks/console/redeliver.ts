import { plusMs } from '#common/clock.ts';
import { AppError, invalid, notFound } from '#common/errors.ts';
import type { Owner } from '#common/modes.ts';
import type { Hints } from '#common/platform/redis/queues.ts';
import { Delivery, type DeliveryRecord, tooLarge } from '../deliveries/delivery.model.ts';
import type { DeliveryWithAttempts } from '../deliveries/delivery.view.ts';
import { discardEnded } from '../deliveries/discard-ended.ts';
import { withAttempts } from '../deliveries/list-deliveries.ts';
import { wakeWebhook } from '../endpoints/wake-endpoints.ts';
import { readActiveWebhook } from '../registry/read-webhooks.ts';

/** Maximum age of deliveries in a bulk retry. */
export const maxAgeMs = 14 * 24 * 60 * 60 * 1_000;
/** Rows per write and writes per request. Clients with more failed deliveries send another request. */
const batchSize = 500;
const maxBatches = 20;
/** Maximum number of deliveries in a bulk retry. */
export const maxRedelivered = maxBatches * batchSize;

/** The states that a bulk retry includes. */
const retriedStates = ['failed', 'discarded'] as const;
/** A body that is too large is an internal fault: it must never be sent. */
const isSendable = { lastResult: { $ne: tooLarge } };

/**
 * Makes one delivery due now, whatever its state, to the webhook's current URL. A delivery that was final gets one
 * attempt. A delivery that waits for a retry keeps its later attempts and expires 96 hours from now.
 * Throws NOT_FOUND, WEBHOOK_DISABLED, or DELIVERY_IN_FLIGHT while a worker is sending it.
 */
export async function redeliver(
  owner: Owner,
  webhookId: string,
  deliveryId: string,
  { hints }: { hints: Hints },
  at: Date,
): Promise<DeliveryWithAttempts> {
  const { url, epoch } = await readActiveWebhook(owner, webhookId);
  const { organizationId, mode } = owner;
  const filter = { _id: deliveryId, endpointId: webhookId, organizationId, mode };
  if (!(await Delivery.exists(filter))) throw new AppError('NOT_FOUND');
  const retry = { url, epoch, isLowPriority: false, leaseToken: null, nextAttemptAt: at, updatedAt: at };
  const changed =
    (await Delivery.findOneAndUpdate(
      { ...filter, state: 'due' },
      { ...retry, manualRetryAt: at },
      { returnDocument: 'after' },
    ).lean<DeliveryRecord>()) ??
    (await Delivery.findOneAndUpdate(
      { ...filter, state: { $in: ['delivered', ...retriedStates] } },
      { ...retry, state: 'due', isManual: true },
      { returnDocument: 'after' },
    ).lean<DeliveryRecord>());
  if (!changed) throw new AppError('DELIVERY_IN_FLIGHT');
  await wakeWebhook(owner, webhookId, deliveryId, hints, at);
  return await withItsAttempts(changed);
}

/** Returns a delivery of a webhook. Throws NOT_FOUND. */
export async function readDelivery(
  { organizationId, mode }: Owner,
  endpointId: string,
  _id: string,
): Promise<DeliveryWithAttempts> {
  const filter = { _id, endpointId, organizationId, mode };
  return await withItsAttempts(await Delivery.findOne(filter).orFail(notFound).lean<DeliveryRecord>());
}

async function withItsAttempts(record: DeliveryRecord): Promise<DeliveryWithAttempts> {
  const [delivery] = await withAttempts([record]);
  if (!delivery) throw new Error('withAttempts returned no delivery');
  return delivery;
}

/**
 * Makes a webhook's failed and discarded deliveries created since a given time due now, for one attempt each. Leaves
 * out bodies that are too large. Returns their number, at most 10,000, and whether there are more.
 * Throws VALIDATION_ERROR for a time more than 14 days ago or in the future, NOT_FOUND, WEBHOOK_DISABLED.
 */
export async function redeliverFailed(
  owner: Owner,
  webhookId: string,
  since: Date,
  { hints }: { hints: Hints },
  at: Date,
): Promise<{ redelivered: number; hasMore: boolean }> {
  if (since < plusMs(at, -maxAgeMs)) throw invalid(['since'], 'Give a time of the last 14 days.');
  if (since > at) throw invalid(['since'], 'Give a time that has passed.');
  const { url, epoch } = await readActiveWebhook(owner, webhookId);
  const { organizationId, mode } = owner;
  // Deliveries that waited when the webhook was disabled belong to it too, and workers may still be discarding them.
  const isDiscarding = await discardEnded({ organizationId, endpointId: webhookId }, epoch - 1, at);
  let redelivered = 0;
  let firstId: string | null = null;
  for (let batch = 0; batch < maxBatches; batch += 1) {
    const retryable = await findRetryable(owner, webhookId, since);
    if (retryable.length === 0) break;
    firstId ??= retryable[0] ?? null;
    const { modifiedCount } = await Delivery.updateMany(
      { _id: { $in: retryable }, endpointId: webhookId, organizationId, mode, state: { $in: retriedStates } },
      { state: 'due', isLowPriority: false, isManual: true, url, epoch, nextAttemptAt: at, updatedAt: at },
    );
    redelivered += modifiedCount;
  }
  // Also when nothing changed: an earlier request may have died after the writes and before this.
  await wakeWebhook(owner, webhookId, firstId, hints, at);

  return { redelivered, hasMore: isDiscarding || (await findRetryable(owner, webhookId, since, 1)).length > 0 };
}

async function findRetryable(
  { organizationId, mode }: Owner,
  webhookId: string,
  since: Date,
  limit = batchSize,
): Promise<string[]> {
  // One query per state: each state has an index of its own.
  for (const state of retriedStates) {
    const filter = { endpointId: webhookId, organizationId, mode, state, createdAt: { $gte: since }, ...isSendable };
    const rows = await Delivery.find(filter).sort({ createdAt: 1, _id: 1 }).limit(limit).select({ _id: 1 }).lean();
    if (rows.length > 0) return rows.map(({ _id }) => _id);
  }
  return [];
}
