import { plusMs } from '../clock.ts';
import type { Owner } from '../modes.ts';
import { rowsOf } from '../platform/mongo/mongo.ts';
import type { Transaction } from '../platform/mongo/transaction.ts';
import type { VerifiedUpload } from './check-uploads.ts';
import { Upload, type UploadRecord } from './upload.model.ts';

const dayMs = 24 * 60 * 60 * 1000;
/** How long a job protects its files. Rendering usually takes minutes; cleanup checks again before it removes them. */
const keptMs = 7 * dayMs;
/**
 * A protection that lasts at least this long is not extended, so concurrent sends of one upload do not contend for its
 * row.
 */
const enoughMs = 6 * dayMs;

/** Protects the files of mail jobs from cleanup, in the transaction that stores the jobs, and stores their ETags. */
export async function keepUploads(
  transaction: Transaction,
  uploads: readonly VerifiedUpload[],
  at: Date,
): Promise<void> {
  const enoughAt = plusMs(at, enoughMs);
  const neededUntil = plusMs(at, keptMs);
  const verified = new Map(uploads.filter(({ isNew }) => isNew).map((upload) => [upload._id, upload]));
  const expiring = uploads.filter((upload) => upload.neededUntil === null || upload.neededUntil < enoughAt);
  const keys = [...new Set(expiring.map(({ _id }) => _id))].filter((key) => !verified.has(key));
  const etagUpdates = [...verified.values()].map(({ _id, etag }) => ({
    updateOne: { filter: { _id }, update: { $set: { etag }, $max: { neededUntil } } },
  }));
  const extension = { updateMany: { filter: { _id: { $in: keys } }, update: { $max: { neededUntil } } } };
  const updates = keys.length > 0 ? [...etagUpdates, extension] : etagUpdates;
  if (updates.length === 0) return;
  await rowsOf<UploadRecord>(Upload).bulkWrite(updates, { session: transaction, ordered: false });
}

/** Lets mail jobs use these uploads of an owner until `until`, if it is later than now known. */
export async function prolongUploads(
  { organizationId, mode }: Owner,
  keys: readonly string[],
  until: Date,
): Promise<void> {
  if (keys.length === 0) return;
  await Upload.updateMany({ _id: { $in: keys }, organizationId, mode }, { $max: { usableUntil: until } });
}

/** Lets cleanup remove these uploads of an owner from `at` on, unless a mail job needs them. */
export async function releaseUploads(
  { organizationId, mode }: Owner,
  keys: readonly string[],
  at: Date,
): Promise<void> {
  if (keys.length === 0) return;
  await Upload.updateMany({ _id: { $in: keys }, organizationId, mode }, { $min: { usableUntil: at } });
}
