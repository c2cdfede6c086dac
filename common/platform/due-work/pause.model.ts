import mongoose from 'mongoose';
import * as row from '../mongo/row.ts';
import { type QueueName, queueNames } from '../redis/queues.ts';

/** What an operator may pause, with the queues whose work then waits. Letters are still accepted. */
export const pausableWork = {
  render: ['render', 'render-slow'],
  // Batches at the press are still followed: `press` hands none over while `batch` is paused.
  dispatch: ['batch'],
  webhooks: ['webhook-delivery'],
  all: queueNames,
} as const satisfies Record<string, readonly QueueName[]>;
export type PausableWork = keyof typeof pausableWork;
export const pausableWorks = Object.keys(pausableWork) as PausableWork[];

/** For how long an ended pause is kept: longer than webhooks are retried, whose time it adds to. */
const endedPauseS = 10 * 24 * 3_600;

const fields = {
  /** `pauseId` while the pause lasts, so that there is one of each kind. */
  _id: row.text,
  work: row.oneOf(pausableWorks),
  /** Null: of all organizations. */
  organizationId: row.nullable(row.text),
  /** Why, in the words of the operator. */
  reason: row.text,
  /** The operator, as in the audit log. */
  by: row.text,
  since: row.date,
  /** Absent while the pause lasts. */
  endedAt: row.optional(row.date),
};
/** A kind of work that no worker takes up until an operator resumes it. */
export type PauseRecord = row.RecordOf<typeof fields>;

const schema = row.schemaOf('pauses', fields);
schema.index({ endedAt: 1 }, { expireAfterSeconds: endedPauseS });

export const Pause = mongoose.model('Pause', schema);

/** Returns the id of the pause of a kind of work, of one organization or of all. */
export function pauseId({ work, organizationId }: Pick<PauseRecord, 'work' | 'organizationId'>): string {
  return organizationId === null ? work : `${work}:${organizationId}`;
}
