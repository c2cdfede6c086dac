import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Log } from './log.ts';
import { ensurePrivateFolder, makeProcessFolder, type ProcessFolder, removeDeadFolders } from './process-folder.ts';

/** The parent of the folders of all our processes of this user. TMPDIR changes its place. */
const parentOf = (root: string) => join(root, `bluejay-${process.getuid?.() ?? 'user'}`);

let own: Promise<ProcessFolder> | undefined;

/**
 * Creates the folder of this process and removes those of killed ones. Called at the start of a process: an unusable
 * TMPDIR then fails the start instead of every letter. Throws when the folder cannot be created or trusted.
 */
export async function openTempFolders(log: Log): Promise<void> {
  await ownFolder();
  const removed = await removeDeadFolders(parentOf(tmpdir()));
  if (removed > 0) log.info({ removed }, 'temporary folders of killed processes removed');
}

/**
 * Creates a folder for temporary files and returns its path. The caller removes it. If this process is killed, the next
 * one to start removes it.
 */
export async function makeTempFolder(purpose: string): Promise<string> {
  const { path } = await ownFolder();
  try {
    return await mkdtemp(join(path, `${purpose}-`));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    // The system's tmp cleaner removes folders that were unused for days.
    own = undefined;
    return await mkdtemp(join((await ownFolder()).path, `${purpose}-`));
  }
}

/** A folder for temporary files that is created when it is first needed. */
export type LazyFolder = {
  /** Returns the path, every time the same. */
  path(): Promise<string>;
  /** Removes the folder if it was created. */
  remove(): Promise<void>;
};

/** `make` creates the folder, once, and returns its path. */
export function createLazyFolder(make: () => Promise<string>): LazyFolder {
  let made: Promise<string> | undefined;
  return {
    path: () => (made ??= make()),
    async remove() {
      const path = await made?.catch(() => undefined);
      if (path !== undefined) await rm(path, { recursive: true, force: true });
    },
  };
}

/** Removes all temporary files of this process. */
export async function closeTempFolders(): Promise<void> {
  const folder = own;
  own = undefined;
  await (await folder)?.close();
}

async function ownFolder(): Promise<ProcessFolder> {
  own ??= openOwn();
  return await own.catch((error) => {
    own = undefined;
    throw error;
  });
}

async function openOwn(): Promise<ProcessFolder> {
  const parent = parentOf(tmpdir());
  await ensurePrivateFolder(parent);
  return await makeProcessFolder(parent);
}
