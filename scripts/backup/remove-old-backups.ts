import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ignoreErrors } from '#common/platform/drop-folder/ignore-errors.ts';
import { listBackups } from './backup-folder.ts';
import { readManifest } from './manifest.schema.ts';

/** What a killed process has left is removed after this time. */
const leftoverMs = 24 * 60 * 60 * 1_000;

/**
 * Removes all but the newest `keep` backups of a folder, and the objects that only those had: each backup marks its objects
 * with its time. No object is removed beside an incomplete backup, which may just mark it: that of another installation
 * with the same folder, or of this one after a crash.
 * Returns how many of both were removed.
 */
export async function removeOldBackups(
  root: string,
  { keep, at }: { keep: number; at: Date },
): Promise<{ backups: number; objects: number }> {
  const { complete, incomplete } = await listBackups(root);
  const kept = complete.slice(-keep);
  const old = complete.slice(0, -keep);
  for (const name of old) await rm(join(root, name), { recursive: true });
  let mayRun = 0;
  for (const name of incomplete) {
    const age = await ignoreErrors(['ENOENT'], ageMs(join(root, name), at));
    if (age === undefined) continue;
    if (age > leftoverMs) await rm(join(root, name), { recursive: true });
    else mayRun += 1;
  }
  const [oldest] = kept;
  if (oldest === undefined || mayRun > 0) return { backups: old.length, objects: 0 };
  const { startedAt } = await readManifest(join(root, oldest));
  const objects = await removeUnused(join(root, 'objects'), new Date(startedAt), at);
  return { backups: old.length, objects };
}

async function removeUnused(folder: string, since: Date, at: Date): Promise<number> {
  let removed = 0;
  // There is no folder when every backup was made without objects.
  for (const entry of (await ignoreErrors(['ENOENT'], readdir(folder, { withFileTypes: true }))) ?? []) {
    const path = join(folder, entry.name);
    if (!entry.isDirectory()) {
      if (entry.name.endsWith('.tmp') && (await ageMs(path, at)) > leftoverMs) await rm(path, { force: true });
      continue;
    }
    for (const name of await readdir(path)) {
      const object = join(path, name);
      // Times of file systems are rounded.
      if ((await stat(object)).mtimeMs >= since.getTime() - 2_000) continue;
      await rm(object, { force: true });
      removed += 1;
    }
  }
  return removed;
}

const ageMs = async (path: string, at: Date) => at.getTime() - (await stat(path)).mtimeMs;
