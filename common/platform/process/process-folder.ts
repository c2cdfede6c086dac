import { randomBytes } from 'node:crypto';
import { chmod, lstat, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';

/** This process's folder for temporary files. */
export type ProcessFolder = {
  path: string;
  /** Removes the folder and its contents. */
  close(): Promise<void>;
};

const socketEnding = '.alive';
/** As long as the final ending, so a path that is too long for a socket already fails when listening starts. */
const unfinishedEnding = '.start';
/** Retries, because children of a killed process may still be writing. */
const removal = { recursive: true, force: true, maxRetries: 10, retryDelay: 100 } as const;

/**
 * Creates a folder for this process below `parent`, beside a Unix socket that the process listens on while it lives. The
 * kernel refuses connections as soon as the process is dead. So `removeDeadFolders` does not depend on process ids, which
 * are reused, and differ between containers.
 */
export async function makeProcessFolder(parent: string): Promise<ProcessFolder> {
  const path = join(parent, `${process.pid}-${randomBytes(4).toString('hex')}`);
  const server = await listenAt(path + unfinishedEnding);
  // A socket under its final name is always listening, and exists before its folder does.
  await rename(path + unfinishedEnding, path + socketEnding);
  await mkdir(path, { mode: 0o700 });

  return {
    path,
    async close() {
      await rm(path, removal);
      server.close();
      await rm(path + socketEnding, { force: true });
    },
  };
}

/** Removes the folders below `parent` whose processes are dead, and returns their number. */
export async function removeDeadFolders(parent: string): Promise<number> {
  const entries = await readdir(parent);
  const names = new Set(entries.map((entry) => entry.replace(/\.(alive|start)$/, '')));
  let removed = 0;
  for (const name of names) {
    const path = join(parent, name);
    // In this order: a socket that was renamed in between is found under its final name.
    const isAlive = (await answers(path + unfinishedEnding)) || (await answers(path + socketEnding));
    if (isAlive) continue;
    if (entries.includes(name)) removed += 1;
    await rm(path, removal);
    for (const ending of [socketEnding, unfinishedEnding]) await rm(path + ending, { force: true });
  }
  return removed;
}

/**
 * Ensures that `path` is a folder that only this user can enter. Throws when it is not a folder, or belongs to another
 * user, who could replace files in it. Its parent may be writable by all users of the machine.
 */
export async function ensurePrivateFolder(path: string): Promise<void> {
  await mkdir(path, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  const found = await lstat(path);
  if (!found.isDirectory() || found.uid !== process.getuid?.()) {
    throw new Error(`${path} is not a folder of this user. Remove it, or set TMPDIR to a folder of your own.`);
  }
  if ((found.mode & 0o077) !== 0) await chmod(path, 0o700);
}

function listenAt(path: string): Promise<Server> {
  const server = createServer((socket) => socket.destroy());
  server.unref();
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const advice = 'Set TMPDIR to a folder on a local disk, with a path of at most 60 bytes.';
      reject(new Error(`Cannot listen at ${path} (${cause.code}). ${advice}`, { cause }));
    });
    server.listen(path, () => resolve(server));
  });
}

/** Returns whether a process listens at `path`. An inconclusive error counts as a process. */
function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', ({ code = '' }: NodeJS.ErrnoException) => {
      resolve(!['ECONNREFUSED', 'ENOENT', 'ENOTSOCK'].includes(code));
    });
  });
}
