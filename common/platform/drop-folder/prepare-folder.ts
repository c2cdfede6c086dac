import { randomBytes } from 'node:crypto';
import { lstat, mkdir, rmdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Modes before the umask of the service: its group may read and take the files. */
export const [folderMode, fileMode] = [0o770, 0o660];

/**
 * Creates a folder if it is missing, and checks that it is writable. Returns false when something else stands there, also
 * a link to a folder: that could lead to another file system, or to a place where others may write.
 */
export async function prepareFolder(path: string): Promise<boolean> {
  await mkdir(path, { mode: folderMode }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  if (!(await lstat(path)).isDirectory()) return false;
  const probe = join(path, `.probe-${randomBytes(8).toString('hex')}`);
  await mkdir(probe);
  await rmdir(probe);
  return true;
}
