import mongoose from 'mongoose';
import { eventKinds } from '#common/events/event.model.ts';
import * as row from '#common/platform/mongo/row.ts';
import { deliveryClockField, onClock, retriesByClock } from '#common/sandbox/clocks/letter-clock.schema.ts';

/** `discarded`: its webhook was deleted or disabled while it waited, or already disabled when its event happened. */
export const deliveryStates = ['due', 'sending', 'delivered', 'failed', 'discarded'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/** `lastResult` of a delivery whose body exceeds the size limit; it is never sent. */
export const tooLarge = 'too_large';
/** `lastResult` of a delivery to a mail job's own URL after the end of the consent under which it was given. */
export const consentEnded = 'consent_ended';

const fields = {
  _id: row.text,
  ...row.owned,
  endpointId: row.text,
  webhookId: row.nullable(row.text),
  /** Epoch of its webhook when it was stored or last retried manually; 0 without a webhook. */
  epoch: row.number,
  eventId: row.text,
  event: row.oneOf(eventKinds),
  /** Also a bulk, or the letter of a test that does not exist. */
  mailJobId: row.text,
  url: row.text,
  /** The same bytes in every attempt. */
  body: row.text,
  state: row.oneOf(deliveryStates),
  /** Attempts made so far. */
  attempt: row.number,
  nextAttemptAt: row.nullable(row.date),
  /** Fencing token: the lease of its endpoint under which it is being sent. */
  leaseToken: row.nullable(row.text),
  /** When a worker last claimed the batch that contains it. */
  takenAt: row.optional(row.date),
  /** From the third attempt on: sent only when no first attempt of its endpoint is due. */
  isLowPriority: row.flag,
  /** The next attempt, or the last one, is a manual retry: no automatic attempt follows its failure. */
  isManual: row.optional(row.defaulting(row.flag, false)),
  /** The last one while it waited, which restarts its time to live. */
  manualRetryAt: row.optional(row.date),
  /** Result of the last attempt: a status or an error class. */
  lastResult: row.nullable(row.text),
  /** Of the address of a single mail job: the OAuth grant whose end ends it. Absent without one. */
  grantId: row.optional(row.text),
  clock: deliveryClockField,
  /** The trace that its attempts continue. Absent without one. It is never sent to the receiver. */
  traceparent: row.optional(row.text),
  /** When its event was written. */
  eventAt: row.date,
  createdAt: row.date,
  updatedAt: row.date,
};
/** The delivery of one event to one endpoint. */
export type DeliveryRecord = row.RecordOf<typeof fields>;

const schema = row.schemaOf('deliveries', fields);
// By event after the organization: the deliveries of an event are read together.
schema.index({ organizationId: 1, eventId: 1, endpointId: 1 }, { unique: true });
// In posting order. Deliveries of ended epochs form a range of their own, which is discarded.
export const pendingByEndpoint = { endpointId: 1, state: 1, epoch: 1, isLowPriority: 1, nextAttemptAt: 1 } as const;
schema.index(pendingByEndpoint);
// For lists of a webhook's deliveries: by kind, and by the two states that few deliveries are in.
export const deliveriesByEndpoint = { endpointId: 1, event: 1, createdAt: -1, _id: -1 } as const;
schema.index(deliveriesByEndpoint);
for (const state of ['failed', 'discarded'] as const) {
  schema.index({ endpointId: 1, createdAt: -1, _id: -1 }, { name: state, partialFilterExpression: { state } });
}
schema.index(retriesByClock, onClock);
schema.index({ createdAt: 1 }, { expireAfterSeconds: 90 * 24 * 60 * 60 });

export const Delivery = mongoose.model('Delivery', schema);

const attemptFields = {
  /** `<delivery>:<number>`. */
  _id: row.text,
  deliveryId: row.text,
  number: row.number,
  startedAt: row.date,
  durationMs: row.number,
  /** The receiver's status; null when none came. */
  status: row.nullable(row.number),
  errorClass: row.nullable(row.text),
  /** The first 2 kB of the answer. */
  replyHead: row.nullable(row.text),
  remoteIp: row.nullable(row.text),
};
/** One attempt of a delivery, kept for customers and support. No decision depends on it. */
export type DeliveryAttemptRecord = row.RecordOf<typeof attemptFields>;

const attemptSchema = row.schemaOf('delivery_attempts', attemptFields);
attemptSchema.index({ deliveryId: 1, number: 1 });
attemptSchema.index({ startedAt: 1 }, { expireAfterSeconds: 30 * 24 * 60 * 60 });

export const DeliveryAttempt = mongoose.model('DeliveryAttempt', attemptSchema);
