import mongoose, { Schema } from 'mongoose';
import { type Mode, modes, type Owner } from '#common/modes.ts';
import { addDueIndex, dueField } from '#common/platform/due-work/due.schema.ts';
import type { Due, DueSlot } from '#common/platform/due-work/due-work.ts';
import { modelOptions } from '#common/platform/mongo/model-options.ts';
import type { Transaction } from '#common/platform/mongo/transaction.ts';
import { sha256Hex } from '#common/secrets.ts';
import type { EndpointHealth } from './breaker.ts';

/**
 * The destination of deliveries. A worker leases the endpoint, not the delivery: an endpoint that hangs holds one slot
 * of one worker, however many deliveries wait for it.
 */
export type EndpointRecord = {
  /** Id of the webhook, or `jobEndpointId`. */
  _id: string;
  organizationId: string;
  mode: Mode;
  /** Null for the addresses of single mail jobs. */
  webhookId: string | null;
  /** Present while deliveries wait. */
  due?: Due;
  /** Absent before the first attempt, and after a reset. */
  health?: EndpointHealth;
  /** Incremented when its webhook is re-enabled or gets another URL, which discards the health. Absent means 0. */
  resets?: number;
  /** The last manual retry; absent before the first. */
  asked?: ManualRetry;
};

/** A manual retry ends a pause. `times` is a generation counter: it shows a running session that there is a new one. */
export type ManualRetry = { times: number; deliveryId: string | null };

const healthSchema = new Schema<EndpointHealth>(
  {
    tally: { type: [{ type: { minute: Number, attempts: Number, failed: Number }, _id: false }], required: true },
    timeoutsInARow: { type: Number, required: true },
    pauseMs: { type: Number, required: true },
    pausedUntil: { type: Date, default: null },
    failingSince: { type: Date, default: null },
  },
  { _id: false },
);

const schema = new Schema<EndpointRecord>(
  {
    _id: { type: String, required: true },
    organizationId: { type: String, required: true },
    mode: { type: String, enum: modes, required: true },
    webhookId: { type: String, default: null },
    due: dueField,
    health: { type: healthSchema, required: false },
    resets: Number,
    asked: { type: { times: Number, deliveryId: { type: String, default: null }, _id: false }, required: false },
  },
  { ...modelOptions, collection: 'endpoints' },
);
addDueIndex(schema, 'due');
// Partial, because few endpoints are paused at any time.
schema.index({ 'health.pausedUntil': 1 }, { partialFilterExpression: { 'health.pausedUntil': { $gt: new Date(0) } } });

export const Endpoint = mongoose.model('Endpoint', schema);

/** Endpoints with deliveries due. */
export const deliveryWork: DueSlot = { collection: 'endpoints', path: 'due', queue: 'webhook-delivery' };

/** Returns the id of the endpoint shared by all mail job addresses of one owner and origin. */
export function jobEndpointId({ organizationId, mode }: Owner, url: string): string {
  return `job-${sha256Hex(`${organizationId} ${mode} ${new URL(url).origin}`).slice(0, 32)}`;
}

/**
 * Discards the health of an endpoint and makes it due at once, in the transaction that re-enables its webhook or
 * changes the URL. A worker that holds the endpoint keeps its lease, because its posts in flight must not be repeated.
 * It discards the health before its next batch.
 */
export async function resetEndpoint(transaction: Transaction, endpointId: string, at: Date): Promise<void> {
  const session = { session: transaction };
  await Endpoint.updateOne({ _id: endpointId }, { $unset: { health: '' }, $inc: { resets: 1 } }, session);
  await makeEndpointDue(transaction, endpointId, at);
}

/**
 * Makes an endpoint with pending deliveries due at once, despite a pause, in the transaction that changes its webhook.
 * A worker that holds the endpoint sees the new version before it releases it.
 */
export async function makeEndpointDue(transaction: Transaction, endpointId: string, at: Date): Promise<void> {
  await Endpoint.updateOne(
    { _id: endpointId, due: { $exists: true } },
    { $set: { 'due.hintedAt': null }, $min: { 'due.at': at }, $inc: { 'due.version': 1 } },
    { session: transaction },
  );
}
