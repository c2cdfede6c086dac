import mongoose from 'mongoose';
import { systemClock } from '../clock.ts';
import { newIdAt } from '../ids.ts';
import { addDueIndex, dueField } from '../platform/due-work/due.schema.ts';
import { type DueSlot, newDue } from '../platform/due-work/due-work.ts';
import { insertRows } from '../platform/mongo/mongo.ts';
import * as row from '../platform/mongo/row.ts';
import type { Transaction } from '../platform/mongo/transaction.ts';

/** The reported steps of a mail job. A closed list: receivers rely on it. */
export const mailEventKinds = ['MAIL_QUEUED', 'MAIL_PRINTED', 'MAIL_POSTED', 'MAIL_DELIVERED', 'MAIL_FAILED'] as const;
export type MailEventKind = (typeof mailEventKinds)[number];

/** All kinds. Those of an item and of a bulk are sent only to webhooks that name them. */
export const eventKinds = [...mailEventKinds, 'ITEM_RETURNED', 'BULK_COMPLETED'] as const;
export type EventKind = (typeof eventKinds)[number];

const fields = {
  _id: row.text,
  ...row.owned,
  kind: row.oneOf(eventKinds),
  /** Id of the mail job, of its item or of the bulk, or `ping-…` or `trigger-…` for a test. Each kind happens to it at most once. */
  subjectId: row.text,
  /** The mail job of an item. Absent when the subject is a mail job or a test. */
  mailJobId: row.optional(row.text),
  /** The test clock of its mail job. Absent without one. */
  clockId: row.optional(row.text),
  /** The trace of its mail job. Absent without one. */
  traceparent: row.optional(row.text),
  /** Only of MAIL_PRINTED: the start of the measured printing time. Absent when the letter is not measured. */
  printableAt: row.optional(row.date),
  /** The payload exactly as sent to every receiver in every attempt, because signatures cover these bytes. */
  body: row.text,
  /** The mail job's own URL, which receives its events instead of the webhooks; null when it has none. */
  webhookUrl: row.nullable(row.text),
  /** The OAuth grant under which that URL was given. Absent without one. */
  grantId: row.optional(row.text),
  /** When it was written, shortly before its commit. The time of the reported step is in the body. */
  at: row.date,
  fannedOutAt: row.nullable(row.date),
  due: dueField,
};
/** A reported step of a mail job or item. Written in the same transaction as the step itself. */
export type EventRecord = row.RecordOf<typeof fields>;

const schema = row.schemaOf('events', fields);
// As in every large collection, the organization comes first. The subject belongs to one.
schema.index({ organizationId: 1, subjectId: 1, kind: 1 }, { unique: true });
// Only events of items cost a write.
schema.index({ mailJobId: 1 }, { sparse: true });
addDueIndex(schema, 'due');
/** For lists and streams: an owner's events by time. A query for all kinds merges an index scan of each. */
export const eventsByOwner = { organizationId: 1, mode: 1, kind: 1, at: 1, _id: 1 } as const;
schema.index(eventsByOwner);
schema.index({ at: 1 }, { expireAfterSeconds: 90 * 24 * 60 * 60 });

export const Event = mongoose.model('Event', schema);

/** A ping is about no mail job: its subject id has this prefix instead of `mj_`. */
export const pingPrefix = 'ping-';
/** As `pingPrefix`, for an event that was triggered in the sandbox: it goes to all webhooks, and to streams. */
export const triggerPrefix = 'trigger-';

/** Returns whether the subject of an event, or the mail job of its delivery, is that of a test. */
export function isOfTest(subjectId: string): boolean {
  return subjectId.startsWith(pingPrefix) || subjectId.startsWith(triggerPrefix);
}

/** Returns the filter of the events of a mail job and of its items. */
export function ofMailJob(mailJobId: string) {
  return { $or: [{ subjectId: mailJobId }, { mailJobId }] };
}

/** Events without deliveries so far. */
export const fanOutWork: DueSlot = { collection: 'events', path: 'due', queue: 'fan-out' };

export type NewEvent = Pick<
  EventRecord,
  | 'organizationId'
  | 'mode'
  | 'kind'
  | 'subjectId'
  | 'mailJobId'
  | 'clockId'
  | 'traceparent'
  | 'printableAt'
  | 'webhookUrl'
  | 'grantId'
> & {
  payload: Record<string, unknown>;
};

/**
 * Appends events in the transaction of the reported steps, due for fan-out at `dueAt`. Returns their ids in order, to
 * send hints for.
 */
export async function appendEvents(
  transaction: Transaction,
  events: readonly NewEvent[],
  dueAt: Date,
): Promise<string[]> {
  // Not the time of the request: a request can wait long for its commit, and resumed streams start by this time.
  const at = systemClock.now();
  const records = events.map(({ payload, ...fields }): EventRecord => {
    const body = JSON.stringify(payload);
    return { _id: newIdAt('evt', at), ...fields, body, at, fannedOutAt: null, due: newDue(dueAt) };
  });
  await insertRows(Event, records, transaction);

  return records.map(({ _id }) => _id);
}
