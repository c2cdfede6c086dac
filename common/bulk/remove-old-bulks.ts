import { plusMs } from '#common/clock.ts';
import { personalData } from '#common/production/retention/personal-data.ts';
import { removeRows } from './check/store-rows.ts';
import { Bulk, type BulkRecord, bulkSendWork } from './model/bulk.model.ts';
import { releaseBulkUploads, unfinishedStates } from './model/bulk-uploads.ts';

/** Bulks per run, to keep runs short. The next run continues. */
export const maxBulksRemoved = 20;
const hourMs = 60 * 60 * 1000;

/**
 * Removes the rows of bulks whose time is over, erases the other people that they name, and lets their files expire. A
 * bulk that was not confirmed for 7 days, or that was paused for 30 days, is cancelled by that. What it sent stays.
 * Returns how many bulks it found.
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
  const { _id, organizationId, mode, state } = bulk;
  const own = { _id, organizationId, mode };
  if (state === 'sending' || state === 'validating' || (state === 'cancelled' && bulk.due.send)) {
    // A worker is at it. Its rows are still needed.
    await Bulk.updateOne(own, { $set: { removeAt: plusMs(at, hourMs) } });
    return;
  }
  const isWaiting = unfinishedStates.some((each) => each === state);
  const ended = isWaiting ? { state: 'cancelled', completedAt: at, updatedAt: at } : {};
  // A bulk that is confirmed or resumed at this moment has another time.
  const filter = { ...own, state, removeAt: { $lte: at } };
  const unset = { 'due.check': '', [bulkSendWork.path]: '' };
  const change = { $set: ended, $unset: unset };
  if ((await Bulk.updateOne(filter, change)).matchedCount === 0) return;
  await removeRows(_id);
  await releaseBulkUploads(bulk, at);
  // Last: a run that is killed before is repeated by the next one.
  const { $set, $unset } = personalData.erased.bulks;
  await Bulk.updateOne(own, { $set, $unset: { ...$unset, removeAt: '' } });
}
