import { plusMs } from '../clock.ts';
import type { ObjectStore } from '../platform/s3.ts';
import { Upload, type UploadRecord } from './upload.model.ts';

/** An upload that no job may use any more is kept two hours longer, for requests that are under way. */
const graceMs = 2 * 60 * 60 * 1000;
/** Removed in one run, so that a run is short; what is left over goes with the next. */
export const maxRemoved = 500;

/** Removes uploads that nobody used or needs any longer: the row first, then the object. Returns how many. */
export async function removeExpiredUploads(store: ObjectStore, at: Date): Promise<number> {
  const isIdle = { $or: [{ neededUntil: null }, { neededUntil: { $lte: at } }] };
  const expired = await Upload.find({ usableUntil: { $lte: plusMs(at, -graceMs) }, ...isIdle })
    .sort({ usableUntil: 1 })
    .limit(maxRemoved)
    .lean<UploadRecord[]>();
  for (const row of expired) {
    const { deletedCount } = await Upload.deleteOne({ _id: row._id, ...isIdle });
    if (deletedCount === 0) continue;
    try {
      await store.delete(row._id);
    } catch (error) {
      // Without its row nobody would ever find the object again.
      await Upload.insertMany([row]);
      throw error;
    }
  }
  return expired.length;
}
