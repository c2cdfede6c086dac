import mongoose, { Schema } from 'mongoose';
import { type Mode, modes, type Owner } from '../modes.ts';
import { dueField } from '../platform/due.schema.ts';
import type { Due, DueSlot } from '../platform/due-work.ts';
import { modelOptions } from '../platform/model-options.ts';
import type { Transaction } from '../platform/transaction.ts';
import { sha256Hex } from '../secrets.ts';
import type { EndpointHealth } from './breaker.ts';

/**
 * Where deliveries wait and are sent from, one address at a time: a worker leases the endpoint, not the delivery, so
 * one that hangs holds one worker's slot, whatever waits behind it.
 */
export type EndpointRecord = {
  /** The webhook's id, or see `jobEndpointId`. */
  _id: string;
  organizationId: string;
  mode: Mode;
  /** Null for the addresses that jobs bring along. */
  webhookId: string | null;
  /** Present while deliveries wait. */
  due?: Due;
  /** Absent before the first attempt, and after a reset. */
  health?: EndpointHealth;
  /** How often its webhook was enabled again or moved: what was known of it before counts no more. Absent for never. */
  resets?: number;
  /** What its owner asked for last. Absent for never. */
  asked?: Asked;
};

/** Deliveries that an owner asks for end a pause: `times` shows whoever sends at the moment that he did. */
export type Asked = { times: number; deliveryId: string | null };

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
schema.index({ 'due.at': 1 }, { sparse: true });
// Few are paused at any time: whoever counts them looks at those alone.
schema.index({ 'health.pausedUntil': 1 }, { partialFilterExpression: { 'health.pausedUntil': { $gt: new Date(0) } } });

export const Endpoint = mongoose.model('Endpoint', schema);

/** Endpoints with deliveries due. */
export const deliveryWork: DueSlot = { collection: 'endpoints', path: 'due', queue: 'webhook-delivery' };

/** All addresses of one origin that an owner's jobs bring along are one endpoint. */
export function jobEndpointId({ organizationId, mode }: Owner, url: string): string {
  return `job-${sha256Hex(`${organizationId} ${mode} ${new URL(url).origin}`).slice(0, 32)}`;
}

/**
 * Forgets how an endpoint has been doing, so that it is tried at once: in the transaction that enables its webhook
 * again or gives it another url. A worker that holds it keeps its lease, for what it is posting must not come twice; it
 * forgets as well, before its next batch.
 */
export async function resetEndpoint(transaction: Transaction, endpointId: string, at: Date): Promise<void> {
  const session = { session: transaction };
  await Endpoint.updateOne({ _id: endpointId }, { $unset: { health: '' }, $inc: { resets: 1 } }, session);
  await Endpoint.updateOne(
    { _id: endpointId, due: { $exists: true } },
    { $set: { 'due.hintedAt': null }, $min: { 'due.at': at }, $inc: { 'due.version': 1 } },
    session,
  );
}
