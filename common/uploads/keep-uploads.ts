import { plusMs } from '../clock.ts';
import { rowsOf } from '../platform/mongo.ts';
import type { Transaction } from '../platform/transaction.ts';
import type { SeenUpload } from './check-uploads.ts';
import { Upload, type UploadRecord } from './upload.model.ts';

const dayMs = 24 * 60 * 60 * 1000;
/** A job needs its files until they are rendered, which is tried for hours at most. */
const keptMs = 7 * dayMs;
/** A stamp that is good for at least this long is left alone: sends of one upload must not contend for its row. */
const enoughMs = 6 * dayMs;

/**
 * Keeps the cleaner away from the files of mail jobs, in the transaction that stores the jobs, and remembers the ETags
 * that were read for them.
 */
export async function keepUploads(transaction: Transaction, uploads: readonly SeenUpload[], at: Date): Promise<void> {
  const enoughAt = plusMs(at, enoughMs);
  const neededUntil = plusMs(at, keptMs);
  const fresh = new Map(uploads.filter(({ isNew }) => isNew).map((upload) => [upload._id, upload]));
  const ending = uploads.filter((upload) => upload.neededUntil === null || upload.neededUntil < enoughAt);
  const keys = [...new Set(ending.map(({ _id }) => _id))].filter((key) => !fresh.has(key));
  const remembered = [...fresh.values()].map(({ _id, etag }) => ({
    updateOne: { filter: { _id }, update: { $set: { etag }, $max: { neededUntil } } },
  }));
  const stamped = { updateMany: { filter: { _id: { $in: keys } }, update: { $max: { neededUntil } } } };
  const updates = keys.length > 0 ? [...remembered, stamped] : remembered;
  if (updates.length === 0) return;
  await rowsOf<UploadRecord>(Upload).bulkWrite(updates, { session: transaction, ordered: false });
}
