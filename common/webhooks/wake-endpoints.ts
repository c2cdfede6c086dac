import { plusMs } from '../clock.ts';
import type { Owner } from '../modes.ts';
import { hintPatienceMs, newDue, type unjournaled } from '../platform/due-work.ts';
import { isDuplicateKey, rowsOf } from '../platform/mongo.ts';
import { type Asked, Endpoint, type EndpointRecord } from './endpoint.model.ts';

/** An endpoint for which a delivery was stored. */
export type Wanted = Owner & { endpointId: string; webhookId: string | null };

/** `asked`: by its owner, who wants this delivery tried at once, null for any; that ends a pause, for one attempt. */
type Wake = Wanted & { asked?: Pick<Asked, 'deliveryId'> };

const endpoints = () => rowsOf<EndpointRecord>(Endpoint);
const maxRounds = 3;

/** `unjournaled`, where the caller sees to it that the wake is not lost. */
export type WakeOptions = Partial<typeof unjournaled>;

/**
 * Makes endpoints due at `at`, or when their pause ends unless their owner has asked. Returns those whose workers must be
 * told; they count as hinted. One that is sending at the moment is not told: its worker sees the raised version when it
 * is about to give the endpoint back, and looks again.
 */
export async function wakeEndpoints(wanted: readonly Wake[], at: Date, options: WakeOptions = {}): Promise<string[]> {
  const byId = new Map(wanted.map((one) => [one.endpointId, one]));
  const all = [...byId.values()];
  for (let round = 1; all.length > 0; round += 1) {
    try {
      const [first] = all;
      return await (all.length === 1 && first ? wakeOne(first, at, options) : wakeAll(all, at, options));
    } catch (error) {
      // Two processes were the first to need an endpoint: it is there now. Waking the others twice does no harm.
      if (!isDuplicateKey(error) || round === maxRounds) throw error;
    }
  }
  return [];
}

/** One round trip, for the single event that somebody waits for. */
async function wakeOne(one: Wake, at: Date, options: WakeOptions): Promise<string[]> {
  const row = await endpoints().findOneAndUpdate({ _id: one.endpointId }, wakeUpdate(one, at), {
    ...options,
    upsert: true,
    returnDocument: 'after',
    projection: { 'due.hintedAt': 1 },
  });
  return row?.due?.hintedAt?.getTime() === at.getTime() ? [one.endpointId] : [];
}

async function wakeAll(all: readonly Wake[], at: Date, options: WakeOptions): Promise<string[]> {
  const writes = all.map((one) => ({
    updateOne: { filter: { _id: one.endpointId }, update: wakeUpdate(one, at), upsert: true },
  }));
  await endpoints().bulkWrite(writes, { ...options, ordered: false });
  const told = await endpoints()
    .find({ _id: { $in: all.map(({ endpointId }) => endpointId) }, 'due.hintedAt': at })
    .project<{ _id: string }>({ _id: 1 })
    .toArray();
  return told.map(({ _id }) => _id);
}

/** One step, so that it can lose no race: an endpoint is made, made due, or made due earlier. */
function wakeUpdate({ organizationId, mode, webhookId, asked }: Wake, at: Date) {
  const wakeAt = asked ? at : { $max: [at, '$health.pausedUntil'] };
  const isIdle = { $eq: [{ $type: '$due' }, 'missing'] };
  // The hint that is under way may be one for later.
  const isUnhinted = asked ? true : { $lte: ['$due.hintedAt', plusMs(at, -hintPatienceMs)] };
  const isLeased = { $gt: ['$due.leaseUntil', at] };
  const isLater = { $gt: [wakeAt, at] };
  const hintedAt = {
    $cond: [{ $and: [isUnhinted, { $not: [isLeased] }, { $not: [isLater] }] }, at, '$due.hintedAt'],
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
        ...(asked && askedUpdate(asked, at)),
      },
    },
  ];
}

function askedUpdate({ deliveryId }: Pick<Asked, 'deliveryId'>, at: Date) {
  const isPaused = { $gt: ['$health.pausedUntil', at] };
  return {
    health: { $cond: [isPaused, { $mergeObjects: ['$health', { pausedUntil: at }] }, '$health'] },
    asked: { times: { $add: [{ $ifNull: ['$asked.times', 0] }, 1] }, deliveryId: { $literal: deliveryId } },
  };
}
