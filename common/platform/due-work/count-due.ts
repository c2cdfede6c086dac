import mongoose from 'mongoose';
import { type DueSlot, readDue } from './due-work.ts';

export type WaitingWork = { count: number; oldestAt: Date | null };

/** Counts work that is due, at most `limit`, and returns since when the oldest has been due. */
export async function countDue({ collection, path }: DueSlot, now: Date, limit: number): Promise<WaitingWork> {
  const rows = mongoose.connection.collection(collection);
  const isDue = { [`${path}.at`]: { $lte: now } };
  const [count, oldest] = await Promise.all([
    rows.countDocuments(isDue, { limit }),
    rows.findOne(isDue, { sort: { [`${path}.at`]: 1 }, projection: { [path]: 1 } }),
  ]);
  return { count, oldestAt: oldest && readDue(oldest, path).at };
}
