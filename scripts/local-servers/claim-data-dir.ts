import { chmod, mkdir, readdir, rename, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { OperatorError } from '../program/operator-error.ts';
import { acquireFileLock, type FileLock, findLockHolder } from './file-lock.ts';
import { endOrphans } from './keeper/end-orphans.ts';

/** Long enough for several processes that find a stale claim at the same moment to agree on its next owner. */
const claimWithinMs = 300;
/** Time for the keeper of a killed start to end its programs. Only when the keeper is gone as well do they remain. */
const orphanGraceMs = 3_000;
/** The sticky bit marks a shared folder such as /tmp, whose permissions must stay. */
const sharedBit = 0o1000;

/**
 * Claims the data folder exclusively for this process, ends orphaned programs of a crashed start, and renames the logs
 * of the last run to `*.log.1`. Throws an OperatorError when the folder is in use or unusable, or when its disk has
 * fewer free bytes than `leastFreeBytes`.
 */
export async function claimDataDir(dataDir: string, { leastFreeBytes = 300 * 1024 * 1024 } = {}): Promise<FileLock> {
  await checkFolder(dataDir, leastFreeBytes);
  const lock = await acquireFileLock(lockFile(dataDir), claimWithinMs);
  if (!lock) {
    const holder = findLockHolder(lockFile(dataDir));
    throw new OperatorError(
      `Bluejay already runs on ${dataDir}${holder ? ` (process ${holder})` : ''}. ` +
        'Stop it first, or choose another folder and other ports: DATA_DIR=.data2 PORT=3100 npm start',
    );
  }
  try {
    await endOrphans(dataDir, orphanGraceMs);
    await rotateLogs(join(dataDir, 'logs'));
  } catch (error) {
    lock.release();
    throw error;
  }
  return lock;
}

/** Returns the id of the process that has claimed the folder, or undefined. */
export function findClaimant(dataDir: string): number | undefined {
  return findLockHolder(lockFile(dataDir));
}

function lockFile(dataDir: string): string {
  return join(dataDir, 'run', 'claim.json');
}

async function checkFolder(dataDir: string, leastFreeBytes: number): Promise<void> {
  const trial = join(dataDir, 'run', `trial.${process.pid}`);
  const problem = await (async () => {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    const { mode } = await stat(dataDir);
    if (mode & sharedBit) return 'all users of this machine share it';
    // It contains letters, addresses and keys.
    if (mode & 0o077) await chmod(dataDir, 0o700);
    await mkdir(join(dataDir, 'run'), { recursive: true, mode: 0o700 });
    await writeFile(trial, 'x');
    await rm(trial);
    return undefined;
  })().catch(describeProblem);
  if (problem !== undefined) {
    throw new OperatorError(
      `DATA_DIR ${dataDir} cannot be used: ${problem}. Name another folder: DATA_DIR=/path npm start`,
    );
  }
  const { bavail, bsize } = await statfs(dataDir);
  const freeBytes = bavail * bsize;
  if (freeBytes >= leastFreeBytes) return;
  throw new OperatorError(
    `The disk of DATA_DIR ${dataDir} has ${toMib(freeBytes)} MB left, and Bluejay needs at least ${toMib(leastFreeBytes)} MB. ` +
      'Free some space, or name a folder on another disk: DATA_DIR=/path npm start',
  );
}

function describeProblem({ code, message }: NodeJS.ErrnoException): string {
  if (code === 'ENOSPC' || code === 'EDQUOT') return 'its disk is full';
  if (code === 'EEXIST' || code === 'ENOTDIR') return 'it is not a folder';
  if (code === 'EPERM') return 'it belongs to another user';
  return `it cannot be written to (${code ?? message})`;
}

function toMib(bytes: number): number {
  return Math.floor(bytes / 1024 / 1024);
}

async function rotateLogs(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const names = (await readdir(folder)).filter((name) => name.endsWith('.log'));
  await Promise.all(names.map((name) => rename(join(folder, name), join(folder, `${name}.1`))));
}
