import mongoose from 'mongoose';
import { createdByField } from '#common/audit/created-by.ts';
import { modes } from '#common/modes.ts';
import { addDueIndex, dueField } from '#common/platform/due-work/due.schema.ts';
import type { DueSlot } from '#common/platform/due-work/due-work.ts';
import { findRows } from '#common/platform/mongo/mongo.ts';
import * as row from '#common/platform/mongo/row.ts';
import type { Transaction } from '#common/platform/mongo/transaction.ts';

const fields = {
  _id: row.text,
  organizationId: row.text,
  mode: row.oneOf(modes),
  /** The time of its letters. Only moves forward. */
  now: row.date,
  /** Where it is advancing to; null when it stands. */
  target: row.nullable(row.date),
  /** Letters that ever joined. Each of them writes the row, so no letter joins a clock that starts to advance. */
  letterCount: row.number,
  /** When it is deleted, by wall-clock time. */
  deletesAt: row.date,
  /** Set by its owner. Its letters are released, then the row is removed. */
  deletedAt: row.nullable(row.date),
  /** Advancing, or deleting it. */
  due: dueField,
  createdBy: createdByField,
  createdAt: row.date,
};
/** A clock of sandbox letters that its owner advances. */
export type SandboxClockRecord = row.RecordOf<typeof fields>;

const schema = row.schemaOf('sandbox_clocks', fields);
export const clocksByOwner = { organizationId: 1, mode: 1, _id: -1 } as const;
schema.index(clocksByOwner);
addDueIndex(schema, 'due');

export const SandboxClock = mongoose.model('SandboxClock', schema);

/** Clocks to advance or to delete. */
export const clockWork: DueSlot = { collection: 'sandbox_clocks', path: 'due', queue: 'sandbox-clock' };

/** A letter, or what is about one. Without a clock, it goes by the wall clock. */
type OnClock = { clock?: { id: string } | undefined };

/**
 * Returns a function that tells the time of each of these letters: that of its clock as the transaction sees it, else `at`.
 */
export async function readLetterTimes(
  jobs: readonly OnClock[],
  at: Date,
  transaction?: Transaction,
): Promise<(job: OnClock) => Date> {
  const ids = [...new Set(jobs.flatMap(({ clock }) => clock?.id ?? []))];
  // Nearly all letters are on no clock.
  if (ids.length === 0) return () => at;
  const options = { limit: ids.length, ...(transaction && { session: transaction }) };
  const clocks = await findRows<SandboxClockRecord>(SandboxClock, { _id: { $in: ids } }, options);
  const times = new Map(clocks.map(({ _id, now }) => [_id, now]));
  return ({ clock }) => times.get(clock?.id ?? '') ?? at;
}
