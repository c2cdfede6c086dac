import { AppError, type Issue } from '../errors.ts';
import { isUploadMimeType, type UploadMimeType } from '../mime-types.ts';
import type { Owner } from '../modes.ts';
import { createBatcher } from '../platform/concurrency/create-batcher.ts';
import { findRows } from '../platform/mongo/mongo.ts';
import type { ObjectStore } from '../platform/s3/s3.ts';
import { Upload, type UploadRecord } from './upload.model.ts';

/** A file of a mail job request. Fields besides the key must match the upload. */
export type NamedFile = {
  s3Key: string;
  filename?: string | null | undefined;
  mimeType?: string | null | undefined;
  sizeBytes?: number | null | undefined;
  etag?: string | null | undefined;
};

/** A stored file, pinned by ETag: rendering refuses it if its bytes change. */
export type PinnedFile = Pick<UploadRecord, 'filename' | 'sizeBytes'> & {
  mimeType: UploadMimeType;
  s3Key: string;
  etag: string;
};

export type CheckedUploads = {
  files: PinnedFile[];
  /** Total pages of all files; null if a file was never counted. */
  pageCount: number | null;
  /** The uploads to keep for the job. */
  uploads: VerifiedUpload[];
};

/** An upload whose object is in the store. `isNew`: its row does not have the ETag yet. */
export type VerifiedUpload = UploadRecord & { etag: string; isNew: boolean };
type Document = VerifiedUpload & { mimeType: UploadMimeType };

type StoredBytes = Pick<PinnedFile, 'mimeType' | 'sizeBytes' | 'etag'>;

/** An ETag that is the MD5 digest of the bytes. Stores that encrypt or split objects have others. */
const digest = /^"[0-9a-f]{32}"$/;

/** Returns whether two stored files are known to have the same bytes. */
export function haveSameBytes(one: StoredBytes, other: StoredBytes): boolean {
  const isSame = one.etag === other.etag && one.sizeBytes === other.sizeBytes && one.mimeType === other.mimeType;
  return isSame && digest.test(one.etag);
}

/** Returns the uploads of this owner that have these keys and are in the store. None while the store is unavailable. */
export async function findStoredFiles(
  { organizationId, mode }: Owner,
  keys: readonly string[],
  store: ObjectStore,
): Promise<PinnedFile[]> {
  const rows = await Promise.all(keys.map((s3Key) => findUpload({ organizationId, mode, s3Key })));
  const seen = await Promise.all(rows.map(async (row) => row && (await verifyObject(row, store).catch(() => null))));
  return seen.flatMap((row) => (row && isDocument(row) ? [{ ...row, s3Key: row._id }] : []));
}

/** One message for every cause, so it does not reveal which keys exist. */
const unknownFile = 'No upload of yours with this key is in the store. Upload the file first, then use its s3Key.';

/**
 * Finds the files of a mail job among the owner's uploads and verifies that the store has them as declared. Throws
 * VALIDATION_ERROR with an issue per file that does not match, and StoreUnavailableError if the store is unavailable.
 */
export async function checkUploads(
  owner: Owner,
  files: readonly NamedFile[],
  store: ObjectStore,
  at: Date,
): Promise<CheckedUploads> {
  const keys = [...new Set(files.map(({ s3Key }) => s3Key))];
  const { organizationId, mode } = owner;
  const rows = await Promise.all(keys.map((s3Key) => findUpload({ organizationId, mode, s3Key })));
  const usable = rows.flatMap((row) => (row && row.usableUntil > at ? [row] : []));
  const seen = await Promise.all(usable.map((row) => verifyObject(row, store)));
  const byKey = new Map(seen.flatMap((row) => (row && isDocument(row) ? [[row._id, row] as const] : [])));

  const issues: Issue[] = [];
  const pinned = files.flatMap((file, index) => {
    const row = byKey.get(file.s3Key);
    if (!row) {
      issues.push({ path: ['files', index, 's3Key'], message: unknownFile });
      return [];
    }
    issues.push(...compare(file, row, index));
    const { _id: s3Key, filename, mimeType, sizeBytes, etag } = row;
    return [{ s3Key, filename, mimeType, sizeBytes, etag, pageCount: row.pageCount }];
  });
  if (issues.length > 0) throw new AppError('VALIDATION_ERROR', { issues });

  const counts = pinned.map(({ pageCount }) => pageCount);
  const areAllCounted = counts.every((count) => count !== null);
  return {
    files: pinned.map(({ pageCount: _, ...file }) => file),
    pageCount: areAllCounted ? counts.reduce((sum, count) => sum + count, 0) : null,
    uploads: [...byKey.values()],
  };
}

/** A bulk file cannot be sent as a letter. */
const isDocument = (row: VerifiedUpload): row is Document => isUploadMimeType(row.mimeType);

type OwnedKey = Owner & { s3Key: string };

const nameOf = ({ organizationId, mode, s3Key }: OwnedKey) => `${organizationId} ${mode} ${s3Key}`;

/** Concurrent letters share one query. Each finds only uploads of its own owner. */
const findUpload = createBatcher<OwnedKey, UploadRecord | undefined>({
  maxItems: 1_000,
  async run(keys) {
    const filter = {
      _id: { $in: keys.map(({ s3Key }) => s3Key) },
      organizationId: { $in: [...new Set(keys.map(({ organizationId }) => organizationId))] },
      mode: { $in: [...new Set(keys.map(({ mode }) => mode))] },
    };
    const rows = await findRows<UploadRecord>(Upload, filter, { limit: keys.length });
    const byName = new Map(rows.map((row) => [nameOf({ ...row, s3Key: row._id }), row]));
    return keys.map((key) => byName.get(nameOf(key)));
  },
});

/**
 * Returns the row with the ETag of its object, or null if the object is missing or not as declared. Asks the store once
 * per upload: the first job stores the ETag, and rendering detects later changes.
 */
export async function verifyObject(row: UploadRecord, store: ObjectStore): Promise<VerifiedUpload | null> {
  const { etag } = row;
  if (etag !== null) return { ...row, etag, isNew: false };
  const object = await store.head(row._id);
  if (object?.sizeBytes !== row.sizeBytes || object.contentType !== row.mimeType) return null;

  return { ...row, etag: object.etag, isNew: true };
}

function compare(file: NamedFile, row: VerifiedUpload, index: number): Issue[] {
  return (['filename', 'mimeType', 'sizeBytes', 'etag'] as const).flatMap((field) => {
    const given = file[field];
    if (given == null || given === row[field]) return [];
    return [{ path: ['files', index, field], message: `Differs from the upload, which has ${row[field]}.` }];
  });
}
