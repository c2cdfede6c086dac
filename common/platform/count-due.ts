import mongoose from 'mongoose';
import type { Due, DueSlot } from './due-work.ts';

/** Due work that is not done yet: how much, at most `limit`, and since when the oldest waits. */
export type WaitingWork = { count: number; oldestAt: Date | null };

export async function countDue({ collection, path }: DueSlot, now: Date, limit: number): Promise<WaitingWork> {
  const rows = mongoose.connection.collection(collection);
  const isDue = { [`${path}.at`]: { $lte: now } };
  const [count, oldest] = await Promise.all([
    rows.countDocuments(isDue, { limit }),
    rows.findOne(isDue, { sort: { [`${path}.at`]: 1 }, projection: { [path]: 1 } }),
  ]);
  const due = path.split('.').reduce<unknown>((value, key) => (value as Record<string, unknown> | null)?.[key], oldest);
  return { count, oldestAt: (due as Due | undefined)?.at ?? null };
}
