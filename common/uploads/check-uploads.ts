import { AppError, type Issue } from '../errors.ts';
import type { UploadMimeType } from '../mime-types.ts';
import type { Owner } from '../modes.ts';
import { createGroupRead } from '../platform/group-read.ts';
import { findRows } from '../platform/mongo.ts';
import type { ObjectStore } from '../platform/s3.ts';
import { Upload, type UploadRecord } from './upload.model.ts';

/** A file as a mail job names it; what is given beside the key must agree with the upload. */
export type NamedFile = {
  s3Key: string;
  filename?: string | null | undefined;
  mimeType?: string | null | undefined;
  sizeBytes?: number | null | undefined;
};

/** A file that is in the store, pinned: rendering refuses it if its bytes change after this. */
export type PinnedFile = {
  s3Key: string;
  filename: string;
  mimeType: UploadMimeType;
  sizeBytes: number;
  etag: string;
};

export type CheckedUploads = {
  files: PinnedFile[];
  /** The pages of all files together; null while a file was never counted. */
  pageCount: number | null;
  /** Those whose row must be kept alive for the job. */
  uploads: SeenUpload[];
};

/** An upload whose object is in the store. `isNew`: its row does not know the ETag yet. */
export type SeenUpload = UploadRecord & { etag: string; isNew: boolean };

/** One message for every cause, so that nobody can learn from it which keys exist. */
const unknownFile = 'No upload of yours with this key is in the store. Upload the file first, then use its s3Key.';

/**
 * Finds the files of a mail job among the owner's uploads, and makes sure that they are in the store as declared.
 * Throws VALIDATION_ERROR with an issue for each file that is not, StoreUnavailableError when the store is away.
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
  const seen = await Promise.all(usable.map((row) => ensureSeen(row, store)));
  const byKey = new Map(seen.flatMap((row) => (row ? [[row._id, row] as const] : [])));

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

type OwnedKey = Owner & { s3Key: string };

const nameOf = ({ organizationId, mode, s3Key }: OwnedKey) => `${organizationId} ${mode} ${s3Key}`;

/** The letters of an instant share the question; each finds its own owner's uploads only. */
const findUpload = createGroupRead<OwnedKey, UploadRecord>({
  nameOf,
  maxKeys: 1_000,
  async read(keys) {
    const filter = {
      _id: { $in: keys.map(({ s3Key }) => s3Key) },
      organizationId: { $in: [...new Set(keys.map(({ organizationId }) => organizationId))] },
      mode: { $in: [...new Set(keys.map(({ mode }) => mode))] },
    };
    const rows = await findRows<UploadRecord>(Upload, filter, { limit: keys.length });
    return new Map(rows.map((row) => [nameOf({ ...row, s3Key: row._id }), row]));
  },
});

/**
 * The row with the ETag of its object; null when the object is missing or not what was declared. The store is asked
 * once an upload: a mail job that uses it remembers the ETag, and what changes later is caught when it is rendered.
 */
async function ensureSeen(row: UploadRecord, store: ObjectStore): Promise<SeenUpload | null> {
  const { etag } = row;
  if (etag !== null) return { ...row, etag, isNew: false };
  const object = await store.head(row._id);
  if (object?.sizeBytes !== row.sizeBytes || object.contentType !== row.mimeType) return null;

  return { ...row, etag: object.etag, isNew: true };
}

function compare(file: NamedFile, row: UploadRecord, index: number): Issue[] {
  return (['filename', 'mimeType', 'sizeBytes'] as const).flatMap((field) => {
    const given = file[field];
    if (given == null || given === row[field]) return [];
    return [{ path: ['files', index, field], message: `Differs from the upload, which has ${row[field]}.` }];
  });
}
