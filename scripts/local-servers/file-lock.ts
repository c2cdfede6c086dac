import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { pollUntil } from '#common/platform/concurrency/poll-until.ts';
import { identifyProcess, isRunning, parseIdentity, readIdentity } from './keeper/process-identity.ts';

/** A lock that this process holds. */
export type FileLock = { release(): void };

/**
 * Acquires the lock of this path, waiting up to `waitMs`. Returns undefined when another process still holds it.
 * The lock of a process that has ended in any way counts as free.
 */
export async function acquireFileLock(file: string, waitMs: number): Promise<FileLock | undefined> {
  mkdirSync(dirname(file), { recursive: true });
  const isLocked = await pollUntil(() => tryLock(file), { everyMs: 100, withinMs: waitMs });
  return isLocked ? { release: () => rmSync(file, { force: true }) } : undefined;
}

/** Returns the process id of the lock's holder, or undefined when it is free. */
export function findLockHolder(file: string): number | undefined {
  const holder = readIdentity(file);
  return holder && isRunning(holder) ? holder.pid : undefined;
}

let lastAttempt = 0;

function tryLock(file: string): boolean {
  const own = `${file}.${process.pid}.${++lastAttempt}`;
  // Writes a private file and links it to the lock's path, so the lock never exists half written.
  writeFileSync(own, JSON.stringify(identifyProcess(process.pid)));
  try {
    if (linkIfFree(own, file)) return true;
    return readState(file) === 'dead' && replaceDeadLock(file, own);
  } finally {
    rmSync(own, { force: true });
  }
}

/** Replaces a dead lock by our own. A second lock makes the check and the replacement one step. */
function replaceDeadLock(file: string, own: string): boolean {
  const takeover = `${file}.takeover`;
  if (!linkIfFree(own, takeover)) {
    // Its holder may have died inside this function. Removing its lock lets the next attempt succeed.
    if (readState(takeover) === 'dead') rmSync(takeover, { force: true });
    return false;
  }
  try {
    // The previous holder of the takeover lock may have replaced the dead lock by its own, so check again.
    if (readState(file) === 'dead') rmSync(file);
    return linkIfFree(own, file);
  } finally {
    rmSync(takeover, { force: true });
  }
}

/**
 * Reads the file only once, because its owner may change between two reads. A damaged lock counts as dead, because
 * locks are never written partially.
 */
function readState(file: string): 'free' | 'held' | 'dead' {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return 'free';
  }
  const holder = parseIdentity(text);
  return holder && isRunning(holder) ? 'held' : 'dead';
}

function linkIfFree(own: string, file: string): boolean {
  try {
    linkSync(own, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  }
}
