import mongoose from 'mongoose';
import { type DueSlot, dueAndUnleased, readDue } from './due-work.ts';

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

/**
 * Returns since when the oldest work has been due that no worker has claimed, null when there is none. Work that is being
 * done does not count: it may take minutes.
 */
export async function readOldestDue(slot: DueSlot, now: Date): Promise<Date | null> {
  const { collection, path } = slot;
  const oldest = await mongoose.connection
    .collection(collection)
    .findOne(dueAndUnleased(slot, now), { sort: { [`${path}.at`]: 1 }, projection: { [path]: 1 } });
  return oldest && readDue(oldest, path).at;
}
