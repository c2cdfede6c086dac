import mongoose from 'mongoose';
import { plusMs } from '#common/clock.ts';
import { dueIndexKey } from './due.schema.ts';
import { type DueSlot, dueAndUnleased, readDue } from './due-work.ts';
import { notOfPaused, notPaused } from './pauses.ts';

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

/** No count of work in progress goes further. */
const maxLeased = 1_000;

/** Work of a process whose clock is behind counts too. */
const clockMarginMs = 60_000;

/** Counts work that a worker has at this moment, at most 1,000. Claimed work stays due until it is finished. */
export async function countLeased({ collection, path }: DueSlot, now: Date): Promise<number> {
  const isLeased = {
    [`${path}.at`]: { $lte: plusMs(now, clockMarginMs) },
    $expr: { $gt: [`$${path}.leaseUntil`, '$$NOW'] },
  };
  const rows = mongoose.connection.collection(collection);
  return await rows.countDocuments(isLeased, { limit: maxLeased, hint: dueIndexKey(path) });
}

/**
 * Returns since when the oldest work has been due that no worker has claimed, null when there is none. Work that is being
 * done does not count, because it may take minutes, nor does paused work.
 */
export async function readOldestDue(slot: DueSlot, now: Date, pause = notPaused): Promise<Date | null> {
  if (pause.isPaused) return null;
  const { collection, path } = slot;
  const oldest = await mongoose.connection
    .collection(collection)
    .findOne(
      { ...dueAndUnleased(slot, now), ...notOfPaused(pause) },
      { sort: { [`${path}.at`]: 1 }, projection: { [path]: 1 }, hint: dueIndexKey(path) },
    );
  return oldest && readDue(oldest, path).at;
}
