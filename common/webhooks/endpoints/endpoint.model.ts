import mongoose from 'mongoose';
import type { Owner } from '#common/modes.ts';
import { addDueIndex, dueField } from '#common/platform/due-work/due.schema.ts';
import type { DueSlot } from '#common/platform/due-work/due-work.ts';
import * as row from '#common/platform/mongo/row.ts';
import type { Transaction } from '#common/platform/mongo/transaction.ts';
import { sha256Hex } from '#common/secrets.ts';

const tallyFields = { minute: row.number, attempts: row.number, failed: row.number };
export type MinuteTally = row.RecordOf<typeof tallyFields>;

const healthFields = {
  /** Attempts by the minute since 1970 in which they ended, oldest first. */
  tally: row.list(row.part(tallyFields)),
  timeoutsInARow: row.number,
  /** Length of the last pause; 0 when there was none since the last success. Above 0 after its end means probing. */
  pauseMs: row.number,
  pausedUntil: row.nullable(row.date),
  /** The first failure since the last success. */
  failingSince: row.nullable(row.date),
};
/** Recent outcomes of an endpoint. Stored on its row: shared by all processes and kept across crashes. */
export type EndpointHealth = row.RecordOf<typeof healthFields>;

const retryFields = { times: row.number, deliveryId: row.nullable(row.text) };
/** A manual retry ends a pause. `times` is a generation counter: it shows a running session that there is a new one. */
export type ManualRetry = row.RecordOf<typeof retryFields>;

const fields = {
  /** Id of the webhook, or `jobEndpointId`. */
  _id: row.text,
  ...row.owned,
  /** Null for the addresses of single mail jobs. */
  webhookId: row.nullable(row.text),
  /** Present while deliveries wait. */
  due: dueField,
  /** Absent before the first attempt, and after a reset. */
  health: row.optional(row.part(healthFields)),
  /** How often its webhook was re-enabled or got another URL, which discards the health. Absent means 0. */
  healthResets: row.optional(row.number),
  manualRetry: row.optional(row.part(retryFields)),
};
/**
 * The destination of deliveries. A worker leases the endpoint, not the delivery: an endpoint that hangs holds one slot
 * of one worker, however many deliveries wait for it.
 */
export type EndpointRecord = row.RecordOf<typeof fields>;

const schema = row.schemaOf('endpoints', fields);
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
  await Endpoint.updateOne({ _id: endpointId }, { $unset: { health: '' }, $inc: { healthResets: 1 } }, session);
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
