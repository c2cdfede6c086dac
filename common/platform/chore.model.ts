import mongoose, { Schema } from 'mongoose';
import { dueField } from './due.schema.ts';
import { type Due, type DueSlot, newDue } from './due-work.ts';
import { modelOptions } from './model-options.ts';
import { isDuplicateKey } from './mongo.ts';

/** Work that comes back at intervals and belongs to no document, by name. */
export type ChoreRecord = {
  _id: string;
  due?: Due;
  /** When it was last done, and how much it found; absent before the first time. */
  lastRun?: { at: Date; count: number };
};

const schema = new Schema<ChoreRecord>(
  { _id: { type: String, required: true }, due: dueField, lastRun: { type: Schema.Types.Mixed } },
  { ...modelOptions, collection: 'chores' },
);
schema.index({ 'due.at': 1 }, { sparse: true });

export const Chore = mongoose.model('Chore', schema);

export const choreWork: DueSlot = { collection: 'chores', path: 'due', queue: 'cleanup' };

/** Makes sure that a chore is planned; one that is planned already stays as it is. */
export async function planChore(name: string, at: Date): Promise<void> {
  try {
    await Chore.updateOne({ _id: name, due: { $exists: false } }, { $set: { due: newDue(at) } }, { upsert: true });
  } catch (error) {
    // It is planned already.
    if (!isDuplicateKey(error)) throw error;
  }
}

/** How a chore ended the last time, in whatever process; null when it was never done. */
export async function readLastRun(name: string): Promise<NonNullable<ChoreRecord['lastRun']> | null> {
  const chore = await Chore.findById(name).lean<ChoreRecord>();
  return chore?.lastRun ?? null;
}
