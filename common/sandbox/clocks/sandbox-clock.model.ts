import mongoose from 'mongoose';
import { createdByField } from '#common/audit/created-by.ts';
import type { Owner } from '#common/modes.ts';
import { addDueIndex, dueField } from '#common/platform/due-work/due.schema.ts';
import type { DueSlot } from '#common/platform/due-work/due-work.ts';
import * as row from '#common/platform/mongo/row.ts';

const fields = {
  _id: row.text,
  ...row.owned,
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

/** Bounds the work of a clock, and of all clocks of an organization. */
export const clockLimits = {
  clocks: 100,
  letters: 1_000,
  daysPerAdvance: 90,
  daysFromNow: 365,
  yearsAhead: 10,
  lifeDays: 30,
} as const;

/** Selects a clock of an owner that is not deleted. */
export const ownClock = ({ organizationId, mode }: Owner, _id: string) => ({
  _id,
  organizationId,
  mode,
  deletedAt: null,
});
