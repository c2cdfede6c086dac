import { join } from 'node:path';
import type { SourceFile } from '#common/documents/print-file/make-part.ts';
import { maxWarmBytes } from '#common/documents/warm/warm-pool.ts';
import type { ObjectStore } from '#common/platform/s3/s3.ts';
import type { MailJobRecord } from '../model/mail-job.model.ts';

/** Most bytes of the files of one letter in memory. */
const maxBytesInMemory = 4 * 1024 * 1024;

type JobFile = MailJobRecord['files'][number];

/**
 * Downloads the files of a job in the version that it was created with: small PDFs into memory, up to 4 MB, all
 * others to the folder. Returns them in print order; a file that is listed several times is downloaded once. Throws
 * `ObjectChangedError`, `ObjectMissingError`, `ObjectTooLargeError` and the errors of the store and the disk.
 */
export async function fetchFiles(
  { files }: Pick<MailJobRecord, 'files'>,
  makeFolder: () => Promise<string>,
  store: ObjectStore,
): Promise<SourceFile[]> {
  const fetched = new Map<string, SourceFile>();
  let leftBytes = maxBytesInMemory;
  for (const file of files) {
    if (fetched.has(file.s3Key)) continue;
    const isSmallPdf = file.mimeType === 'application/pdf' && file.sizeBytes <= Math.min(maxWarmBytes, leftBytes);
    if (isSmallPdf) leftBytes -= file.sizeBytes;
    const toDisk = async () => join(await makeFolder(), `source-${fetched.size}`);
    fetched.set(file.s3Key, await fetchFile(file, store, isSmallPdf ? null : toDisk));
  }
  return files.flatMap(({ s3Key }) => fetched.get(s3Key) ?? []);
}

/** Without `toDisk` the file stays in memory. */
async function fetchFile(
  { s3Key: key, etag: ifMatch, sizeBytes: maxBytes, mimeType }: JobFile,
  store: ObjectStore,
  toDisk: (() => Promise<string>) | null,
): Promise<SourceFile> {
  const object = { key, ifMatch, maxBytes };
  if (!toDisk) return { mimeType, bytes: await store.get(object) };
  const path = await toDisk();
  await store.getToFile({ ...object, path });
  return { mimeType, path };
}
