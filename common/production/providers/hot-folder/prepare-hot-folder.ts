import { randomBytes } from 'node:crypto';
import { mkdir, rename, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { folderMode, prepareFolder } from '#common/platform/drop-folder/prepare-folder.ts';
import { HotFolderError, onPath } from './hot-folder-error.ts';
import { folderNames } from './hot-folder-paths.ts';

/**
 * Creates what is missing of a hot folder and checks it: every folder is a real folder and writable, and what is renamed
 * from `.incoming` to `out` stays on one file system. Called at the start of a process. Throws a HotFolderError.
 */
export async function prepareHotFolder(root: string): Promise<void> {
  await onPath(root, () => mkdir(root, { recursive: true, mode: folderMode }));
  const folders = Object.values(folderNames).map((name) => join(root, name));
  for (const path of folders) {
    if (await onPath(path, () => prepareFolder(path))) continue;
    throw new HotFolderError(`Hot folder: ${path} is not a folder, or a link to one. Move it away and restart.`);
  }
  const probe = `.probe-${randomBytes(8).toString('hex')}`;
  const [from, to] = [join(root, folderNames.incoming, probe), join(root, folderNames.out, probe)];
  await onPath(from, () => mkdir(from));
  try {
    await onPath(to, () => rename(from, to));
  } catch (error) {
    await rmdir(from);
    throw error;
  }
  await onPath(to, () => rmdir(to));
}
