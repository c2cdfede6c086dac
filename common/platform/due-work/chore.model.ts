import mongoose, { Schema } from 'mongoose';
import { modelOptions } from '../mongo/model-options.ts';
import { isDuplicateKey } from '../mongo/mongo.ts';
import { addDueIndex, dueField } from './due.schema.ts';
import { type Due, type DueSlot, newDue } from './due-work.ts';

/** Recurring work that belongs to no document, identified by its name. */
export type ChoreRecord = {
  _id: string;
  due?: Due;
  /** When the last run ended, and its count of items found or done. Absent before the first run. */
  lastRun?: { at: Date; count: number };
};

const schema = new Schema<ChoreRecord>(
  { _id: { type: String, required: true }, due: dueField, lastRun: { type: Schema.Types.Mixed } },
  { ...modelOptions, collection: 'chores' },
);
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
