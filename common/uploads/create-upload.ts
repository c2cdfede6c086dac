import { plusMs } from '../clock.ts';
import type { Owner } from '../modes.ts';
import type { ObjectStore } from '../platform/s3/s3.ts';
import { randomBase32 } from '../secrets.ts';
import { reserveStorage } from './storage-use.ts';
import { Upload, type UploadRecord } from './upload.model.ts';
import type { UploadAddress } from './upload.schema.ts';

/** How long the signed URL accepts a file. */
export const addressTtlS = 600;
/** How long mail jobs may use the upload. */
export const usableMs = 24 * 60 * 60 * 1000;

/** What an upload is declared to be. */
export type FileToStore = Pick<UploadRecord, 'filename' | 'mimeType' | 'sizeBytes'>;

/**
 * Reserves storage for a file and returns a presigned URL for it. Makes no request to the store. Throws LIMIT_REACHED
 * and stores nothing if the owner would exceed `maxStoredBytes`.
 */
export async function createUpload(
  owner: Owner,
  request: FileToStore,
  { store, maxStoredBytes }: { store: ObjectStore; maxStoredBytes: number },
  at: Date,
): Promise<UploadAddress> {
  const usableUntil = plusMs(at, usableMs);
  return await addressOf(await insertUpload(owner, { ...request, usableUntil }, maxStoredBytes, at), store, at);
}

async function addressOf(record: UploadRecord, store: ObjectStore, at: Date): Promise<UploadAddress> {
  const { _id: s3Key, mimeType: contentType, sizeBytes, usableUntil } = record;
  const { url, headers } = await store.presignPut({ key: s3Key, contentType, sizeBytes, expiresInS: addressTtlS, at });

  return {
    s3Key,
    uploadUrl: url,
    method: 'PUT',
    headers,
    expiresAt: plusMs(at, addressTtlS * 1000).toISOString(),
    usableUntil: usableUntil.toISOString(),
  };
}

/**
 * Reserves storage for a file and stores its row, without a URL. Throws LIMIT_REACHED and stores nothing if the owner
 * would exceed `maxStoredBytes`.
 */
export async function insertUpload(
  { organizationId, mode }: Owner,
  request: FileToStore & Pick<UploadRecord, 'usableUntil'>,
  maxStoredBytes: number,
  at: Date,
): Promise<UploadRecord> {
  const _id = `u/${organizationId}/${randomBase32(20)}`;
  const known = { etag: null, pageCount: null, createdAt: at, neededUntil: null };
  const record: UploadRecord = { _id, organizationId, mode, ...request, ...known };
  // Count first, so uploads never exceed the limit. If the insert fails, the next recount corrects the count.
  await reserveStorage({ organizationId, mode }, request.sizeBytes, maxStoredBytes);
  await Upload.create([record]);
  return record;
}
