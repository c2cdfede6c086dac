import { plusMs } from '#common/clock.ts';
import { removeRows } from './check/store-rows.ts';
import { Bulk, type BulkRecord, bulkSendWork } from './model/bulk.model.ts';
import { releaseBulkUploads, unfinishedStates } from './model/bulk-uploads.ts';

/** Bulks per run, to keep runs short. The next run continues. */
export const maxBulksRemoved = 20;
const hourMs = 60 * 60 * 1000;

/**
 * Removes the rows of bulks whose time is over, which name people, and lets their files expire. A bulk that was not
 * confirmed for 7 days, or that was paused for 30 days, is cancelled by that. What it sent stays. Returns how many bulks
 * it found.
 */
export async function removeOldBulks(at: Date): Promise<number> {
  const old = await Bulk.find({ removeAt: { $lte: at } })
    .sort({ removeAt: 1 })
    .limit(maxBulksRemoved)
    .lean<BulkRecord[]>();
  for (const bulk of old) await removeOne(bulk, at);
  return old.length;
}

async function removeOne(bulk: BulkRecord, at: Date): Promise<void> {
  const { _id, state } = bulk;
  const isWaiting = unfinishedStates.some((each) => each === state);
  if (state === 'sending' || (state === 'cancelled' && bulk.due.send)) {
    // A worker is at it. Its rows are still needed.
    await Bulk.updateOne({ _id }, { $set: { removeAt: plusMs(at, hourMs) } });
    return;
  }
  // A bulk that is confirmed or resumed at this moment has another time.
  const ended = isWaiting ? { state: 'cancelled', completedAt: at, updatedAt: at } : {};
  const filter = { _id, state, removeAt: { $lte: at } };
  const unset = { removeAt: '', 'due.check': '', [bulkSendWork.path]: '' };
  if ((await Bulk.updateOne(filter, { $set: { ...ended, sender: null }, $unset: unset })).modifiedCount === 0) return;
  await removeRows(_id);
  await releaseBulkUploads(bulk);
}
