import { plusMs } from '#common/clock.ts';
import type { Owner } from '#common/modes.ts';
import { hintTimeoutMs, newDue } from '#common/platform/due-work/due-work.ts';
import { hasLapsed } from '#common/platform/mongo/lease.model.ts';
import { rowsOf } from '#common/platform/mongo/mongo.ts';
import { retryOnDuplicateKey } from '#common/platform/mongo/retry-on-duplicate-key.ts';
import type { Hints } from '#common/platform/redis/queues.ts';
import { Endpoint, type EndpointRecord, type ManualRetry } from './endpoint.model.ts';

/** An endpoint that has a new delivery. */
export type EndpointRef = Owner & { endpointId: string; webhookId: string | null };

/** `manual`: a manual retry of this delivery, null for any. It ends a pause for one attempt. */
type Wake = EndpointRef & { manual?: Pick<ManualRetry, 'deliveryId'> };

const endpoints = () => rowsOf<EndpointRecord>(Endpoint);

/**
 * Makes endpoints due at `at`, or at the end of their pause unless this is a manual retry. Returns the ids to send
 * hints for, already marked as hinted. An endpoint that is being sent needs no hint: its worker sees the new version
 * before it releases the endpoint.
 */
export async function wakeEndpoints(wakes: readonly Wake[], at: Date): Promise<string[]> {
  const byId = new Map(wakes.map((wake) => [wake.endpointId, wake]));
  const all = [...byId.values()];
  // Another process may insert one of the endpoints concurrently. Waking the others twice is harmless.
  return all.length === 0 ? [] : await retryOnDuplicateKey(() => wakeAll(all, at));
}

/**
 * Makes a webhook due for a manual retry of one delivery, null for several, and hints the workers. In a pause this
 * delivery alone is tried at once, and its outcome decides whether the pause continues.
 */
export async function wakeWebhook(
  owner: Owner,
  webhookId: string,
  deliveryId: string | null,
  hints: Hints,
  at: Date,
): Promise<void> {
  const { organizationId, mode } = owner;
  const wake = { organizationId, mode, endpointId: webhookId, webhookId, manual: { deliveryId } };
  const hinted = await wakeEndpoints([wake], at);
  if (hinted.length > 0) hints.notify('webhook-delivery', hinted);
}

async function wakeAll(all: readonly Wake[], at: Date): Promise<string[]> {
  const writes = all.map((wake) => ({
    updateOne: { filter: { _id: wake.endpointId }, update: wakeUpdate(wake, at), upsert: true },
  }));
  await endpoints().bulkWrite(writes, { ordered: false });
  const hinted = await endpoints()
    .find({ _id: { $in: all.map(({ endpointId }) => endpointId) }, 'due.hintedAt': at })
    .project<{ _id: string }>({ _id: 1 })
    .toArray();
  return hinted.map(({ _id }) => _id);
}

/** One atomic update inserts the endpoint, makes it due, or makes it due earlier: no race can lose the wake-up. */
function wakeUpdate({ organizationId, mode, webhookId, manual }: Wake, at: Date) {
  const wakeAt = manual ? at : { $max: [at, '$health.pausedUntil'] };
  const isIdle = { $eq: [{ $type: '$due' }, 'missing'] };
  // An earlier hint may be delayed until that later time.
  const isHintedLater = { $gt: ['$due.at', at] };
  const isHintLost = { $lte: ['$due.hintedAt', plusMs(at, -hintTimeoutMs)] };
  const isUnhinted = manual ? true : { $or: [isHintedLater, isHintLost] };
  const isLater = { $gt: [wakeAt, at] };
  const hintedAt = {
    $cond: [{ $and: [isUnhinted, hasLapsed('$due.leaseUntil'), { $not: [isLater] }] }, at, '$due.hintedAt'],
  };
  const earlier = { at: { $min: ['$due.at', wakeAt] }, version: { $add: ['$due.version', 1] }, hintedAt };
  const fresh = { ...newDue(at), at: wakeAt, hintedAt: { $cond: [isLater, null, at] } };
  const due = { $cond: [isIdle, fresh, { $mergeObjects: ['$due', earlier] }] };
  return [
    {
      $set: {
        organizationId: { $ifNull: ['$organizationId', organizationId] },
        mode: { $ifNull: ['$mode', mode] },
        webhookId: { $ifNull: ['$webhookId', webhookId] },
        due,
        ...(manual && manualRetryUpdate(manual, at)),
      },
    },
  ];
}

function manualRetryUpdate({ deliveryId }: Pick<ManualRetry, 'deliveryId'>, at: Date) {
  const isPaused = { $gt: ['$health.pausedUntil', at] };
  return {
    health: { $cond: [isPaused, { $mergeObjects: ['$health', { pausedUntil: at }] }, '$health'] },
    manualRetry: { times: { $add: [{ $ifNull: ['$manualRetry.times', 0] }, 1] }, deliveryId: { $literal: deliveryId } },
  };
}
