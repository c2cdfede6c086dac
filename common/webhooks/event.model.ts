import mongoose, { Schema } from 'mongoose';
import { systemClock } from '../clock.ts';
import { newIdAt } from '../ids.ts';
import { type Mode, modes } from '../modes.ts';
import { dueField } from '../platform/due.schema.ts';
import { type Due, type DueSlot, newDue } from '../platform/due-work.ts';
import { modelOptions } from '../platform/model-options.ts';
import { insertRows } from '../platform/mongo.ts';
import type { Transaction } from '../platform/transaction.ts';

/** The five steps of a mail job that are reported; the specification's closed list. */
export const eventKinds = ['MAIL_QUEUED', 'MAIL_PRINTED', 'MAIL_POSTED', 'MAIL_DELIVERED', 'MAIL_FAILED'] as const;
export type EventKind = (typeof eventKinds)[number];

/** Something that happened to a mail job, to be reported. Written in the transaction that makes it happen. */
export type EventRecord = {
  _id: string;
  organizationId: string;
  mode: Mode;
  kind: EventKind;
  /** The mail job, or `ping-…` for a test. A kind happens to it at most once. */
  subjectId: string;
  /** The payload as it is sent, to every receiver and in every attempt: the same text, so the same signature base. */
  body: string;
  /** The job's own address, to which its events go instead of the webhooks; null when it has none. */
  webhookUrl: string | null;
  /** When it was written, shortly before it could be seen; the moment of what it reports is in the body. */
  at: Date;
  fannedOutAt: Date | null;
  due?: Due;
};

const schema = new Schema<EventRecord>(
  {
    _id: { type: String, required: true },
    organizationId: { type: String, required: true },
    mode: { type: String, enum: modes, required: true },
    kind: { type: String, enum: eventKinds, required: true },
    subjectId: { type: String, required: true },
    body: { type: String, required: true },
    webhookUrl: { type: String, default: null },
    at: { type: Date, required: true },
    fannedOutAt: { type: Date, default: null },
    due: dueField,
  },
  { ...modelOptions, collection: 'events' },
);
schema.index({ subjectId: 1, kind: 1 }, { unique: true });
schema.index({ 'due.at': 1 }, { sparse: true });
/** For lists and streams: an owner's events by time, of one kind, or of all five by merging them. */
export const ownersEvents = { organizationId: 1, mode: 1, kind: 1, at: 1, _id: 1 } as const;
schema.index(ownersEvents);
schema.index({ at: 1 }, { expireAfterSeconds: 90 * 24 * 60 * 60 });

export const Event = mongoose.model('Event', schema);

/** Events that are not yet turned into deliveries. */
export const fanOutWork: DueSlot = { collection: 'events', path: 'due', queue: 'fan-out' };

export type NewEvent = Pick<EventRecord, 'organizationId' | 'mode' | 'kind' | 'subjectId' | 'webhookUrl'> & {
  payload: Record<string, unknown>;
};

/**
 * Promises to report what happened, in the transaction in which it happens; to be fanned out from `dueAt` on. Returns
 * the events' ids in their order, for the hints.
 */
export async function appendEvents(
  transaction: Transaction,
  events: readonly NewEvent[],
  dueAt: Date,
): Promise<string[]> {
  // Not the moment of the request: that may be long past when its turn to commit comes, and streams go by this time.
  const at = systemClock.now();
  const records = events.map(({ payload, ...fields }): EventRecord => {
    const body = JSON.stringify(payload);
    return { _id: newIdAt('evt', at), ...fields, body, at, fannedOutAt: null, due: newDue(dueAt) };
  });
  await insertRows(Event, records, transaction);

  return records.map(({ _id }) => _id);
}
