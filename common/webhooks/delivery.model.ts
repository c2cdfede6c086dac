import mongoose, { Schema } from 'mongoose';
import { type Mode, modes } from '../modes.ts';
import { modelOptions } from '../platform/model-options.ts';
import { type EventKind, eventKinds } from './event.model.ts';

/** `discarded`: its endpoint was deleted or disabled while it waited, or disabled when its event happened. */
export const deliveryStates = ['due', 'sending', 'delivered', 'failed', 'discarded'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/** What became of a delivery whose body no receiver must see. */
export const tooLarge = 'too_large';

/** One event on its way to one endpoint. */
export type DeliveryRecord = {
  _id: string;
  organizationId: string;
  mode: Mode;
  endpointId: string;
  webhookId: string | null;
  eventId: string;
  event: EventKind;
  mailJobId: string;
  url: string;
  /** The same bytes in every attempt. */
  body: string;
  state: DeliveryState;
  /** Attempts made so far. */
  attempt: number;
  nextAttemptAt: Date | null;
  /** The lease of the endpoint under which it is being sent: the fence. */
  leaseToken: string | null;
  /** When a worker took it last, with others, to post one after the other. */
  takenAt?: Date;
  /**
   * From the third attempt on: sent only when no first attempt of its endpoint waits. Absent from what a worker of an
   * older version stores, in the course of an update: that is treated as late.
   */
  isLate?: boolean | null;
  /** Its owner has asked for the next attempt, or for the last one: when that fails, nothing follows by itself. */
  isManual?: boolean;
  /** When its owner last asked for it while it waited: from then on its time to live counts anew. */
  askedAt?: Date;
  /** What the last attempt led to: a status, or the class of an error. */
  lastResult: string | null;
  /** When its event was written. */
  eventAt: Date;
  createdAt: Date;
  updatedAt: Date;
};

const schema = new Schema<DeliveryRecord>(
  {
    _id: { type: String, required: true },
    organizationId: { type: String, required: true },
    mode: { type: String, enum: modes, required: true },
    endpointId: { type: String, required: true },
    webhookId: { type: String, default: null },
    eventId: { type: String, required: true },
    event: { type: String, enum: eventKinds, required: true },
    mailJobId: { type: String, required: true },
    url: { type: String, required: true },
    body: { type: String, required: true },
    state: { type: String, enum: deliveryStates, required: true },
    attempt: { type: Number, required: true },
    nextAttemptAt: { type: Date, default: null },
    leaseToken: { type: String, default: null },
    takenAt: Date,
    isLate: { type: Boolean, default: false },
    isManual: { type: Boolean, default: false },
    askedAt: Date,
    lastResult: { type: String, default: null },
    eventAt: { type: Date, required: true },
    createdAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
  },
  { ...modelOptions, collection: 'deliveries' },
);
schema.index({ eventId: 1, endpointId: 1 }, { unique: true });
// The order in which a worker posts them.
export const endpointsWaiting = { endpointId: 1, state: 1, isLate: 1, nextAttemptAt: 1 } as const;
schema.index(endpointsWaiting);
// For whoever looks at a webhook: its deliveries by kind, and those that were not taken, of which there are few.
export const endpointsDeliveries = { endpointId: 1, event: 1, createdAt: -1, _id: -1 } as const;
schema.index(endpointsDeliveries);
for (const state of ['failed', 'discarded'] as const) {
  schema.index({ endpointId: 1, createdAt: -1, _id: -1 }, { name: state, partialFilterExpression: { state } });
}
schema.index({ createdAt: 1 }, { expireAfterSeconds: 90 * 24 * 60 * 60 });

export const Delivery = mongoose.model('Delivery', schema);

/** One attempt of a delivery, for whoever asks why nothing came. */
export type DeliveryAttemptRecord = {
  /** `<delivery>:<number>`. */
  _id: string;
  deliveryId: string;
  number: number;
  startedAt: Date;
  durationMs: number;
  /** The receiver's status; null when none came. */
  status: number | null;
  errorClass: string | null;
  /** The beginning of the answer, 2 kB at most. */
  replyHead: string | null;
  remoteIp: string | null;
};

const attemptSchema = new Schema<DeliveryAttemptRecord>(
  {
    _id: { type: String, required: true },
    deliveryId: { type: String, required: true },
    number: { type: Number, required: true },
    startedAt: { type: Date, required: true },
    durationMs: { type: Number, required: true },
    status: { type: Number, default: null },
    errorClass: { type: String, default: null },
    replyHead: { type: String, default: null },
    remoteIp: { type: String, default: null },
  },
  { ...modelOptions, collection: 'delivery_attempts' },
);
attemptSchema.index({ deliveryId: 1, number: 1 });
attemptSchema.index({ startedAt: 1 }, { expireAfterSeconds: 30 * 24 * 60 * 60 });

export const DeliveryAttempt = mongoose.model('DeliveryAttempt', attemptSchema);
