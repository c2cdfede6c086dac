import { plusMs } from '../clock.ts';
import type { Owner } from '../modes.ts';
import type { ObjectStore } from '../platform/s3.ts';
import { randomBase32 } from '../secrets.ts';
import { Upload, type UploadRecord } from './upload.model.ts';
import type { UploadAddress, UploadRequest } from './upload.schema.ts';

/** The address takes a file for this long … */
const addressTtlS = 600;
/** … and mail jobs may use what was put there for this long. */
const usableMs = 24 * 60 * 60 * 1000;

/** Books a place in the object store and signs an address for it. Needs no answer of the store. */
export async function createUpload(
  owner: Owner,
  request: UploadRequest,
  store: ObjectStore,
  at: Date,
): Promise<UploadAddress> {
  const s3Key = `u/${owner.organizationId}/${randomBase32(20)}`;
  const usableUntil = plusMs(at, usableMs);
  const record: UploadRecord = {
    _id: s3Key,
    organizationId: owner.organizationId,
    mode: owner.mode,
    ...request,
    etag: null,
    pageCount: null,
    createdAt: at,
    usableUntil,
    neededUntil: null,
  };
  await Upload.create([record]);
  const { mimeType: contentType, sizeBytes } = request;
  const { url, headers } = store.presignPut({ key: s3Key, contentType, sizeBytes, expiresInS: addressTtlS, at });

  return {
    s3Key,
    uploadUrl: url,
    method: 'PUT',
    headers,
    expiresAt: plusMs(at, addressTtlS * 1000).toISOString(),
    usableUntil: usableUntil.toISOString(),
  };
}
