import { dayMs, plusMs } from '../clock.ts';
import type { Log } from '../platform/process/log.ts';
import { removeEach } from '../platform/s3/remove-each.ts';
import type { ObjectStore } from '../platform/s3/s3.ts';
import { countStored } from './storage-use.ts';
import { Upload, type UploadRecord } from './upload.model.ts';

/** An expired upload is kept two more hours, for requests in flight. */
const graceMs = 2 * 60 * 60 * 1000;
/** Uploads per run, to keep runs short. The next run continues. */
export const maxRemoved = 500;
/** Delay before a failed deletion is retried. It doubles up to a day. */
const firstRetryMs = 10 * 60 * 1000;

export type UploadRemoval = {
  store: ObjectStore;
  log: Log;
  /** Returns which of these keys a letter still needs. Called with uploads that a letter has used. */
  findNeeded(keys: readonly string[]): Promise<ReadonlySet<string>>;
  /** Called for each object that could not be deleted. */
  onFailure(): void;
};

/**
 * Removes uploads that are expired and no longer needed: first the object, then the row, so an interrupted run leaves
 * no object without a row. Postpones an object that cannot be deleted and continues with the others. Returns how many
 * uploads it examined. Throws the store's error if the store seems unavailable.
 */
export async function removeExpiredUploads(removal: UploadRemoval, at: Date): Promise<number> {
  const expired = await Upload.find({
    usableUntil: { $lte: plusMs(at, -graceMs) },
    $or: [{ neededUntil: null }, { neededUntil: { $lte: at } }],
    'removal.nextAt': { $not: { $gt: at } },
  })
    .sort({ usableUntil: 1 })
    .limit(maxRemoved)
    .lean<UploadRecord[]>();
  const needed = await keepNeeded(expired, removal, at);
  const unneeded = expired.filter(({ _id }) => !needed.has(_id));
  await removeEach(unneeded, {
    async remove(row) {
      await removal.store.delete(row._id);
      const { deletedCount } = await Upload.deleteOne({ _id: row._id });
      // Of two concurrent runs, only the one that deletes the row returns its bytes.
      if (deletedCount === 1) await countStored(row, -row.sizeBytes, removal.log);
    },
    async postpone(row, error) {
      removal.onFailure();
      await postpone(row, error, removal, at);
    },
  });
  return expired.length;
}

/** Extends the protection of uploads that a letter still needs by a day, so the next run examines others. */
async function keepNeeded(
  expired: readonly UploadRecord[],
  { findNeeded }: UploadRemoval,
  at: Date,
): Promise<ReadonlySet<string>> {
  const used = expired.filter(({ neededUntil }) => neededUntil !== null).map(({ _id }) => _id);
  if (used.length === 0) return new Set();
  const needed = await findNeeded(used);
  await Upload.updateMany({ _id: { $in: [...needed] } }, { $max: { neededUntil: plusMs(at, dayMs) } });
  return needed;
}

async function postpone(row: UploadRecord, error: unknown, { log }: UploadRemoval, at: Date): Promise<void> {
  const failures = (row.removal?.failures ?? 0) + 1;
  const nextAt = plusMs(at, Math.min(firstRetryMs * 2 ** (failures - 1), dayMs));
  log.warn({ err: error, s3Key: row._id, failures, nextAt }, 'upload not removed, will retry');
  await Upload.updateOne({ _id: row._id }, { $set: { removal: { failures, nextAt } } });
}
