import mongoose from 'mongoose';
import { isDuplicateKey } from '../mongo/mongo.ts';
import * as row from '../mongo/row.ts';
import { addDueIndex, dueField } from './due.schema.ts';
import { type DueSlot, newDue } from './due-work.ts';

const fields = {
  _id: row.text,
  due: dueField,
  /** When the last run ended, and its count of items found or done. Absent before the first run. */
  lastRun: row.optional(row.mixed<{ at: Date; count: number }>()),
};
/** Recurring work that belongs to no document, identified by its name. */
export type ChoreRecord = row.RecordOf<typeof fields>;

const schema = row.schemaOf('chores', fields);
addDueIndex(schema, 'due');

export const Chore = mongoose.model('Chore', schema);

export const choreWork: DueSlot = { collection: 'chores', path: 'due', queue: 'cleanup' };

/** Plans a chore unless it is planned already. */
export async function planChore(name: string, at: Date): Promise<void> {
  try {
    await Chore.updateOne({ _id: name, due: { $exists: false } }, { $set: { due: newDue(at) } }, { upsert: true });
  } catch (error) {
    // Another process has planned it.
    if (!isDuplicateKey(error)) throw error;
  }
}

/** Returns the result of a chore's last run in any process, null before the first run. */
export async function readLastRun(name: string): Promise<NonNullable<ChoreRecord['lastRun']> | null> {
  const chore = await Chore.findById(name).lean<ChoreRecord>();
  return chore?.lastRun ?? null;
}

/** Records a run of recurring work that a command does, and that is never due by itself. */
export async function recordRun(name: string, lastRun: NonNullable<ChoreRecord['lastRun']>): Promise<void> {
  await Chore.updateOne({ _id: name }, { $set: { lastRun } }, { upsert: true });
}
