import mongoose, { Schema } from 'mongoose';
import { type EventKind, eventKinds } from '#common/events/event.model.ts';
import { type Mode, modes } from '#common/modes.ts';
import { modelOptions } from '#common/platform/mongo/model-options.ts';

/** `discarded`: its webhook was deleted or disabled while it waited, or already disabled when its event happened. */
export const deliveryStates = ['due', 'sending', 'delivered', 'failed', 'discarded'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/** `lastResult` of a delivery whose body exceeds the size limit; it is never sent. */
export const tooLarge = 'too_large';

/** The delivery of one event to one endpoint. */
export type DeliveryRecord = {
  _id: string;
  organizationId: string;
  mode: Mode;
  endpointId: string;
  webhookId: string | null;
  /** Epoch of its webhook when it was stored or last retried manually; 0 without a webhook. */
  epoch: number;
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
  /** Fencing token: the lease of its endpoint under which it is being sent. */
  leaseToken: string | null;
  /** When a worker last claimed the batch that contains it. */
  takenAt?: Date;
  /** Low priority, from the third attempt on: sent only when no first attempt of its endpoint is due. */
  isLate: boolean;
  /** The next attempt, or the last one, is a manual retry: no automatic attempt follows its failure. */
  isManual?: boolean;
  /** Last manual retry while it waited, which restarts its time to live. */
  askedAt?: Date;
  /** Result of the last attempt: a status or an error class. */
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
    epoch: { type: Number, required: true },
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
    isLate: { type: Boolean, required: true },
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
// In posting order. Deliveries of ended epochs form a range of their own, which is discarded.
export const pendingByEndpoint = { endpointId: 1, state: 1, epoch: 1, isLate: 1, nextAttemptAt: 1 } as const;
schema.index(pendingByEndpoint);
// For lists of a webhook's deliveries: by kind, and by the two states that few deliveries are in.
export const deliveriesByEndpoint = { endpointId: 1, event: 1, createdAt: -1, _id: -1 } as const;
schema.index(deliveriesByEndpoint);
for (const state of ['failed', 'discarded'] as const) {
  schema.index({ endpointId: 1, createdAt: -1, _id: -1 }, { name: state, partialFilterExpression: { state } });
}
schema.index({ createdAt: 1 }, { expireAfterSeconds: 90 * 24 * 60 * 60 });

export const Delivery = mongoose.model('Delivery', schema);

/** One attempt of a delivery, kept for customers and support. No decision depends on it. */
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
  /** The first 2 kB of the answer. */
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
