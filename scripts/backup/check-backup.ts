import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { drainInParallel } from '#common/platform/concurrency/in-parallel.ts';
import { listUnknown } from '#common/platform/mongo/migrate.ts';
import { migrations } from '#common/schema/migrations.ts';
import type { KeyRing } from '#common/secrets.ts';
import { OperatorError } from '../program/operator-error.ts';
import { objectPathOf, objectsFolderOf } from './backup-folder.ts';
import { ListedObject } from './copy-objects.ts';
import { type BackupManifest, readManifest } from './manifest.schema.ts';
import { requireFittingKeys } from './seal-manifest.ts';
import { digestFile, readLines } from './write-file.ts';

/** Reads of files at once. */
const lanes = 4;

/**
 * Returns the manifest of a backup that this version and these keys can restore. Reads every file of the dump and every
 * object, unless they are left to the tools of the store, and compares them with their checksums. Throws OperatorError with
 * the first problem, and what to do.
 */
export async function checkBackup(
  folder: string,
  keyRing: KeyRing,
  { withoutObjects = false } = {},
): Promise<BackupManifest> {
  const manifest = await readManifest(folder);
  requireFittingKeys(manifest, keyRing);
  requireKnownMigrations(manifest);
  for (const file of [...manifest.collections, manifest.objects]) await requireWhole(folder, file);
  if (withoutObjects) return manifest;
  for await (const _ of drainInParallel(listObjects(folder, manifest), requireContent(folder), lanes));
  return manifest;
}

/** Yields the objects of a backup. */
export async function* listObjects(folder: string, { objects }: BackupManifest): AsyncGenerator<ListedObject> {
  for await (const line of readLines(join(folder, objects.file))) yield ListedObject.parse(JSON.parse(line));
}

/** Only the version that ran a migration creates its indexes, so no older one may restore the rows. */
function requireKnownMigrations({ migrations: ran }: BackupManifest): void {
  const unknown = listUnknown(ran, migrations);
  if (unknown.length === 0) return;
  throw new OperatorError(
    `The database of the backup was migrated by another version of Bluejay: this one does not know migration ${unknown.join(', ')}. Restore with that version.`,
  );
}

async function requireWhole(folder: string, file: { file: string; sizeBytes: number; sha256: string }): Promise<void> {
  const found = await digestFile(join(folder, file.file), 'sha256').catch(noFile);
  if (found?.sizeBytes === file.sizeBytes && found.digest === file.sha256) return;
  throw damaged(file.file, found);
}

function requireContent(folder: string) {
  const objectsFolder = objectsFolderOf(folder);
  return async (listed: ListedObject): Promise<null> => {
    const path = objectPathOf(objectsFolder, listed);
    const found = await stat(path).then(() => digestFile(path, 'md5'), noFile);
    if (found?.sizeBytes === listed.sizeBytes && found.digest === listed.md5) return null;
    throw damaged(path, found);
  };
}

function noFile(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}

function damaged(file: string, found: object | null): OperatorError {
  const problem = found ? 'is damaged: its content does not have its checksum' : 'is missing';
  return new OperatorError(
    `${file} ${problem}. Nothing was restored. Copy the backup again, or use another one. Backups share the files of objects: delete such a file that is damaged, and the next backup copies the object anew.`,
  );
}
