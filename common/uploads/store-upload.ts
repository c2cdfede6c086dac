import type { Mode, Owner } from '../modes.ts';
import type { ObjectStore } from '../platform/s3/s3.ts';
import { type FileToStore, insertUpload } from './create-upload.ts';
import { releaseUploads } from './keep-uploads.ts';
import { Upload, type UploadRecord } from './upload.model.ts';

export type StoreUploadDeps = { store: ObjectStore; maxStoredBytes: Record<Mode, number> };

/**
 * Stores a file of this process as an upload of its owner, as if the owner had put it into the store. The row is written
 * first, so an interrupted call leaves no object that is never removed, and when the store fails, cleanup may remove it.
 * `usableUntil`: until when mail jobs may name it. Throws LIMIT_REACHED and stores nothing if the owner would exceed the
 * limit of its mode, and StoreUnavailableError.
 */
export async function storeUpload(
  owner: Owner,
  { path, ...request }: FileToStore & Pick<UploadRecord, 'usableUntil'> & { path: string },
  { store, maxStoredBytes }: StoreUploadDeps,
  at: Date,
): Promise<UploadRecord> {
  const record = await insertUpload(owner, request, maxStoredBytes[owner.mode], at);
  const { etag } = await putOrRelease(record, path, store, at);
  await Upload.updateOne({ _id: record._id, organizationId: owner.organizationId }, { etag }, { hint: { _id: 1 } });
  return { ...record, etag };
}

async function putOrRelease(record: UploadRecord, path: string, store: ObjectStore, at: Date) {
  try {
    return await store.putFile({ key: record._id, path, contentType: record.mimeType });
  } catch (error) {
    await releaseUploads(record, [record._id], at);
    throw error;
  }
}
