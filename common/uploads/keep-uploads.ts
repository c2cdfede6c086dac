import { dayMs, plusMs } from '../clock.ts';
import type { Owner } from '../modes.ts';
import { rowsOf } from '../platform/mongo/mongo.ts';
import type { Transaction } from '../platform/mongo/transaction.ts';
import type { VerifiedUpload } from './check-uploads.ts';
import { Upload, type UploadRecord } from './upload.model.ts';

/** How long a job protects its files. Rendering usually takes minutes; cleanup checks again before it removes them. */
const keptMs = 7 * dayMs;
/**
 * A protection that lasts at least this long is not extended, so concurrent sends of one upload do not contend for its
 * row.
 */
const enoughMs = 6 * dayMs;

/** The key finds the upload. */
const byId = { hint: { _id: 1 } } as const;

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
  const extended = expiring.filter(({ _id }) => !verified.has(_id));
  const etagUpdates = [...verified.values()].map(({ _id, organizationId, etag }) => ({
    updateOne: { filter: { _id, organizationId }, update: { $set: { etag }, $max: { neededUntil } }, ...byId },
  }));
  const isExtended = {
    _id: { $in: [...new Set(extended.map(({ _id }) => _id))] },
    organizationId: { $in: [...new Set(extended.map(({ organizationId }) => organizationId))] },
  };
  const extension = { updateMany: { filter: isExtended, update: { $max: { neededUntil } }, ...byId } };
  const updates = extended.length > 0 ? [...etagUpdates, extension] : etagUpdates;
  if (updates.length === 0) return;
  await rowsOf<UploadRecord>(Upload).bulkWrite(updates, { session: transaction, ordered: false });
}

/** Lets cleanup remove these uploads of an owner as soon as no further mail job may name them, and none renders them. */
export async function endNeed({ organizationId, mode }: Owner, keys: readonly string[], at: Date): Promise<void> {
  const used = { _id: { $in: [...keys] }, organizationId, mode, neededUntil: { $gt: at } };
  await Upload.updateMany(used, { neededUntil: at });
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
