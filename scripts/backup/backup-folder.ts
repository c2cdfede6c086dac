import { createHash } from 'node:crypto';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';

// A folder of backups:
//   20260504T130000Z/manifest.json          written last
//   20260504T130000Z/mail_jobs.bson.gz      one file for each collection, as mongodump --gzip writes it
//   20260504T130000Z/objects.jsonl.gz       the objects that the rows name
//   objects/ab/<md5>-<size>                 the objects of all backups, each content once
// Readable by its owner only: it holds names, addresses and letters.

export const folderMode = 0o700;
export const fileMode = 0o600;

export const manifestName = 'manifest.json';
export const objectListName = 'objects.jsonl.gz';
/** Names that are safe as file names everywhere, as those of the product are. */
const plainName = /^[a-z0-9_]{1,100}$/;

/**
 * Returns the name of a collection's file. MongoDB also allows slashes, 255 bytes, and names that differ in case only, so
 * the file of such a collection has the hash of its name. The manifest has the name.
 */
export function collectionFileOf(collection: string): string {
  if (plainName.test(collection)) return `${collection}.bson.gz`;
  return `other.${createHash('sha256').update(collection).digest('hex').slice(0, 32)}.bson.gz`;
}

/** The end of the name of a backup that is being written, or whose process died. */
const incompleteEnd = '.incomplete';
const namePattern = /^\d{8}T\d{6}Z$/;

/** Returns the name of a backup that starts at `at`: such names sort by time. */
export function backupNameOf(at: Date): string {
  return `${at.toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`;
}

/** Creates the folder of a new backup. It counts as a backup once `complete` is its name. */
export async function createBackupFolder(root: string, at: Date): Promise<{ path: string; complete: string }> {
  const complete = join(root, backupNameOf(at));
  const path = complete + incompleteEnd;
  await mkdir(root, { recursive: true, mode: folderMode });
  await mkdir(path, { mode: folderMode });
  return { path, complete };
}

/** Returns the names of the backups in a folder, oldest first, and those that were not completed. */
export async function listBackups(root: string): Promise<{ complete: string[]; incomplete: string[] }> {
  const names = (await readdir(root)).sort();
  return {
    complete: names.filter((name) => namePattern.test(name)),
    incomplete: names.filter((name) => name.endsWith(incompleteEnd) && namePattern.test(name.split('.', 1)[0] ?? '')),
  };
}

/** Returns the folder of the objects, which the backups of a folder share. */
export const objectsFolderOf = (backup: string) => join(backup, '..', 'objects');

/** Returns the path of an object's content. */
export function objectPathOf(objectsFolder: string, { md5, sizeBytes }: { md5: string; sizeBytes: number }): string {
  return join(objectsFolder, md5.slice(0, 2), `${md5}-${sizeBytes}`);
}
