import { randomUUID } from 'node:crypto';
import { chmod, mkdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { drainInParallel } from '#common/platform/concurrency/in-parallel.ts';
import { ObjectChangedError, ObjectMissingError } from '#common/platform/s3/object-store-errors.ts';
import type { ObjectStore } from '#common/platform/s3/s3.ts';
import { OperatorError } from '../program/operator-error.ts';
import { fileMode, folderMode, objectListName, objectPathOf } from './backup-folder.ts';
import type { BackupManifest } from './manifest.schema.ts';
import { isStillNeeded, type NamedObject } from './stored-objects.ts';
import { digestFile, syncToDisk, writeCompressed } from './write-file.ts';

/** A line of the list of objects. */
export const ListedObject = z.strictObject({
  key: z.string().min(1),
  md5: z.string().regex(/^[0-9a-f]{32}$/),
  sizeBytes: z.int().min(0),
  contentType: z.string().nullable(),
});
export type ListedObject = z.infer<typeof ListedObject>;

type CopyOptions = {
  objects: AsyncIterable<NamedObject>;
  store: ObjectStore;
  /** The folder of this backup. */
  folder: string;
  /** The folder of the objects of all backups. */
  objectsFolder: string;
};
type CopiedObjects = {
  list: BackupManifest['objects'];
  /** Objects that no earlier backup has copied. */
  copied: number;
};

const lanes = 8;
const maxLostNamed = 100;
/** A client may replace an upload while it is copied. */
const maxAttempts = 3;

/**
 * Copies objects and lists them. Contents are kept under their MD5, which is their ETag, so an object that any backup of
 * the folder has is not read again: a new backup only marks it as used now. Throws OperatorError when the store's ETags
 * are no MD5 sums. All of them are on the disk when it returns.
 */
export async function copyObjects({ objects, store, folder, objectsFolder }: CopyOptions): Promise<CopiedObjects> {
  await mkdir(objectsFolder, { recursive: true, mode: folderMode });
  const totals = { count: 0, objectBytes: 0, missing: 0 };
  let copied = 0;
  // Those of objects that were there, too: their backup may have ended before it came to this.
  const folders = new Set([objectsFolder]);
  const lost: string[] = [];

  async function copy(named: NamedObject): Promise<Uint8Array | null> {
    const found = await copyObject(named.key, store, objectsFolder);
    if (found === null) {
      totals.missing += 1;
      if (lost.length < maxLostNamed && (await isStillNeeded(named))) lost.push(named.key);
      return null;
    }
    folders.add(dirname(objectPathOf(objectsFolder, found.listed)));
    totals.count += 1;
    totals.objectBytes += found.listed.sizeBytes;
    if (found.isNew) copied += 1;
    return Buffer.from(`${JSON.stringify(found.listed)}\n`);
  }

  const written = await writeCompressed(join(folder, objectListName), drainInParallel(objects, copy, lanes));
  for (const path of folders) await syncToDisk(path);
  return { list: { file: objectListName, ...written, ...totals, lost }, copied };
}

async function copyObject(
  key: string,
  store: ObjectStore,
  objectsFolder: string,
): Promise<{ listed: ListedObject; isNew: boolean } | null> {
  for (let attempt = 1; ; attempt += 1) {
    const facts = await store.head(key);
    if (!facts) return null;
    const { etag, sizeBytes, contentType } = facts;
    const md5 = /^"([0-9a-f]{32})"$/.exec(etag)?.[1];
    if (md5 === undefined) throw notMd5(key);
    const listed = { key, md5, sizeBytes, contentType };
    try {
      return { listed, isNew: await keepContent(listed, etag, store, objectsFolder) };
    } catch (error) {
      const hasChanged = error instanceof ObjectChangedError || error instanceof ObjectMissingError;
      if (!hasChanged || attempt === maxAttempts) throw error;
    }
  }
}

/** Stores the content of an object in the folder. Returns false when it is there already. */
async function keepContent(
  { key, md5, sizeBytes }: ListedObject,
  etag: string,
  store: ObjectStore,
  objectsFolder: string,
): Promise<boolean> {
  const path = objectPathOf(objectsFolder, { md5, sizeBytes });
  const now = new Date();
  const kept = await stat(path).catch(() => null);
  if (kept?.size === sizeBytes) {
    await utimes(path, now, now);
    return false;
  }
  await mkdir(dirname(path), { recursive: true, mode: folderMode });
  const temporary = join(objectsFolder, `${randomUUID()}.tmp`);
  try {
    await store.getToFile({ key, ifMatch: etag, path: temporary, maxBytes: sizeBytes });
    await chmod(temporary, fileMode);
    if ((await digestFile(temporary, 'md5')).digest !== md5) throw notMd5(key);
    // By the same clock as the start of backups, with which `removeOldBackups` compares it: that of a file server may be off.
    await utimes(temporary, now, now);
    await syncToDisk(temporary);
    await rename(temporary, path);
  } finally {
    await rm(temporary, { force: true });
  }
  return true;
}

function notMd5(key: string): OperatorError {
  return new OperatorError(
    `The ETag of ${key} is not the MD5 sum of its content, as with SSE-KMS encryption: such an object cannot be proven to be the same after a restore. Copy the bucket with the tools of its store, and run this with --without-objects.`,
  );
}
