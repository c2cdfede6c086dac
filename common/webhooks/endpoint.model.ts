import mongoose, { Schema } from 'mongoose';
import { type Mode, modes, type Owner } from '../modes.ts';
import { dueField } from '../platform/due.schema.ts';
import type { Due, DueSlot } from '../platform/due-work.ts';
import { modelOptions } from '../platform/model-options.ts';
import { sha256Hex } from '../secrets.ts';

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
};

const schema = new Schema<EndpointRecord>(
  {
    _id: { type: String, required: true },
    organizationId: { type: String, required: true },
    mode: { type: String, enum: modes, required: true },
    webhookId: { type: String, default: null },
    due: dueField,
  },
  { ...modelOptions, collection: 'endpoints' },
);
schema.index({ 'due.at': 1 }, { sparse: true });

export const Endpoint = mongoose.model('Endpoint', schema);

/** Endpoints with deliveries due. */
export const deliveryWork: DueSlot = { collection: 'endpoints', path: 'due', queue: 'webhook-delivery' };

/** All addresses of one origin that an owner's jobs bring along are one endpoint. */
export function jobEndpointId({ organizationId, mode }: Owner, url: string): string {
  return `job-${sha256Hex(`${organizationId} ${mode} ${new URL(url).origin}`).slice(0, 32)}`;
}
