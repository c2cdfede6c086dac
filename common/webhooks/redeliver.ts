import { plusMs } from '../clock.ts';
import { AppError, invalid } from '../errors.ts';
import type { Owner } from '../modes.ts';
import type { Hints } from '../platform/queues.ts';
import { Delivery, type DeliveryRecord, tooLarge } from './delivery.model.ts';
import type { DeliveryWithAttempts } from './delivery.view.ts';
import { withAttempts } from './list-deliveries.ts';
import { readActiveWebhook } from './read-webhook.ts';
import { wakeWebhook } from './wake-webhook.ts';

/** How far back failed deliveries may be asked for again. */
const maxAgeMs = 14 * 24 * 60 * 60 * 1_000;
/** Rows changed by one write, and writes of one request: whoever has more asks again. */
const batchSize = 500;
const maxBatches = 20;

/** What was given up; only these are sent again by the batch. */
const lostStates = ['failed', 'discarded'] as const;
/** Too large is a fault of ours that another attempt does not mend, and no receiver must see it. */
const isSendable = { lastResult: { $ne: tooLarge } };

/**
 * Sends one delivery again, to the webhook's present url, as its next attempt: at once, whatever became of it before.
 * One that was over is tried this one time only; one that waits for its next attempt keeps those that would follow, for
 * 96 hours from now.
 * Throws NOT_FOUND, WEBHOOK_DISABLED, or DELIVERY_IN_FLIGHT while a worker is busy with it.
 */
export async function redeliver(
  owner: Owner,
  webhookId: string,
  deliveryId: string,
  { hints }: { hints: Hints },
  at: Date,
): Promise<DeliveryWithAttempts> {
  const { url } = await readActiveWebhook(owner, webhookId);
  const { organizationId, mode } = owner;
  const wanted = { _id: deliveryId, endpointId: webhookId, organizationId, mode };
  if (!(await Delivery.exists(wanted))) throw new AppError('NOT_FOUND');
  const again = { url, isLate: false, leaseToken: null, nextAttemptAt: at, updatedAt: at };
  const changed =
    (await Delivery.findOneAndUpdate(
      { ...wanted, state: 'due' },
      { ...again, askedAt: at },
      { returnDocument: 'after' },
    ).lean<DeliveryRecord>()) ??
    (await Delivery.findOneAndUpdate(
      { ...wanted, state: { $in: ['delivered', ...lostStates] } },
      { ...again, state: 'due', isManual: true },
      { returnDocument: 'after' },
    ).lean<DeliveryRecord>());
  if (!changed) throw new AppError('DELIVERY_IN_FLIGHT');
  await wakeWebhook(owner, webhookId, deliveryId, hints, at);
  const [delivery] = await withAttempts([changed]);
  if (!delivery) throw new Error('One delivery went in, none came out');
  return delivery;
}

/**
 * Sends again what a webhook has lost since a moment: deliveries that failed for good, and those that were discarded
 * while it was disabled, but not what was too large to be sent. Each is tried once. Returns how many, 10,000 at most, and
 * whether there are more.
 * Throws VALIDATION_ERROR for a moment over 14 days back, NOT_FOUND, WEBHOOK_DISABLED.
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
  const { url } = await readActiveWebhook(owner, webhookId);
  const { organizationId, mode } = owner;
  let redelivered = 0;
  let firstId: string | null = null;
  for (let batch = 0; batch < maxBatches; batch += 1) {
    const lost = await findLost(owner, webhookId, since);
    if (lost.length === 0) break;
    firstId ??= lost[0] ?? null;
    const { modifiedCount } = await Delivery.updateMany(
      { _id: { $in: lost }, endpointId: webhookId, organizationId, mode, state: { $in: lostStates } },
      { state: 'due', isLate: false, isManual: true, url, nextAttemptAt: at, updatedAt: at },
    );
    redelivered += modifiedCount;
  }
  // Also for none: a request that was cut off here has made them due, and nobody was told.
  await wakeWebhook(owner, webhookId, firstId, hints, at);

  return { redelivered, hasMore: (await findLost(owner, webhookId, since, 1)).length > 0 };
}

async function findLost(
  { organizationId, mode }: Owner,
  webhookId: string,
  since: Date,
  limit = batchSize,
): Promise<string[]> {
  // One state after the other: each has an index of its own.
  for (const state of lostStates) {
    const lost = { endpointId: webhookId, organizationId, mode, state, createdAt: { $gte: since }, ...isSendable };
    const rows = await Delivery.find(lost).sort({ createdAt: 1, _id: 1 }).limit(limit).select({ _id: 1 }).lean();
    if (rows.length > 0) return rows.map(({ _id }) => _id);
  }
  return [];
}
