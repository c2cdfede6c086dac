import { mkdir, readdir, rename, rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { OperatorError } from '../operator-error.ts';
import { endLeftovers } from './end-leftovers.ts';
import { acquireFileLock, type FileLock, findLockHolder } from './file-lock.ts';

export type ClaimOptions = {
  /** Below this much free space on its disk the folder is refused; bytes. */
  leastFreeBytes?: number;
};

/** Long enough for several who find a dead claim at the same moment to sort out who is next. */
const claimWithinMs = 300;
/** The keeper of a killed start is at it already; only when it is gone as well must we end its programs ourselves. */
const leftoverPatienceMs = 3_000;
const defaultLeastFreeBytes = 300 * 1024 * 1024;

/**
 * Makes the data folder this process's own: nobody else runs on it, what a crash left running has ended, and the
 * logs of the last run lie beside the new ones as `*.log.1`. Throws OperatorError when the folder will not do.
 */
export async function claimDataDir(dataDir: string, options: ClaimOptions = {}): Promise<FileLock> {
  await checkFolder(dataDir, options.leastFreeBytes ?? defaultLeastFreeBytes);
  const lock = await acquireFileLock(lockFile(dataDir), claimWithinMs);
  if (!lock) {
    const holder = findLockHolder(lockFile(dataDir));
    throw new OperatorError(
      `Bluejay already runs on ${dataDir}${holder ? ` (process ${holder})` : ''}. ` +
        'Stop it first, or give this one a folder and ports of its own: DATA_DIR=.data2 PORT=4000 npm start',
    );
  }
  try {
    await endLeftovers(dataDir, leftoverPatienceMs);
    await putLogsAside(join(dataDir, 'logs'));
  } catch (error) {
    lock.release();
    throw error;
  }
  return lock;
}

/** The process that has claimed the folder; undefined when it is free. */
export function findClaimant(dataDir: string): number | undefined {
  return findLockHolder(lockFile(dataDir));
}

function lockFile(dataDir: string): string {
  return join(dataDir, 'run', 'claim.json');
}

async function checkFolder(dataDir: string, leastFreeBytes: number): Promise<void> {
  const trial = join(dataDir, 'run', `trial.${process.pid}`);
  try {
    // What lies there is nobody else's business: letters, addresses, keys.
    await mkdir(join(dataDir, 'run'), { recursive: true, mode: 0o700 });
    await writeFile(trial, 'x');
    await rm(trial);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const isFull = code === 'ENOSPC' || code === 'EDQUOT';
    const problem = isFull ? 'its disk is full' : `it cannot be written to (${code ?? message})`;
    throw new OperatorError(
      `DATA_DIR ${dataDir} will not do: ${problem}. Name another folder: DATA_DIR=/path npm start`,
    );
  }
  const { bavail, bsize } = await statfs(dataDir);
  const freeBytes = bavail * bsize;
  if (freeBytes >= leastFreeBytes) return;
  throw new OperatorError(
    `The disk of DATA_DIR ${dataDir} has ${toMb(freeBytes)} MB left, and Bluejay wants ${toMb(leastFreeBytes)} MB at least. ` +
      'Free some space, or name a folder on another disk: DATA_DIR=/path npm start',
  );
}

function toMb(bytes: number): number {
  return Math.floor(bytes / 1024 / 1024);
}

async function putLogsAside(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const names = (await readdir(folder)).filter((name) => name.endsWith('.log'));
  await Promise.all(names.map((name) => rename(join(folder, name), join(folder, `${name}.1`))));
}
