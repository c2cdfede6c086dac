import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { identifyProcess, isRunning, parseIdentity, readIdentity } from './process-identity.ts';

/** A lock that this process holds. */
export type FileLock = { release(): void };

/**
 * Takes the lock that `file` stands for, waiting up to `waitMs` for its holder; undefined when it still has it then.
 * The lock of a process that has died, however it died, is free.
 */
export async function acquireFileLock(file: string, waitMs: number): Promise<FileLock | undefined> {
  mkdirSync(dirname(file), { recursive: true });
  const deadline = performance.now() + waitMs;
  for (;;) {
    if (tryLock(file)) return { release: () => rmSync(file, { force: true }) };
    if (performance.now() >= deadline) return undefined;
    await pause(100);
  }
}

/** The process number of the lock's holder; undefined when it is free. */
export function findLockHolder(file: string): number | undefined {
  const holder = readIdentity(file);
  return holder && isRunning(holder) ? holder.pid : undefined;
}

let lastAttempt = 0;

function tryLock(file: string): boolean {
  const own = `${file}.${process.pid}.${++lastAttempt}`;
  // Written whole first, then given its name in one step: nobody ever reads half a lock.
  writeFileSync(own, JSON.stringify(identifyProcess(process.pid)));
  try {
    if (linkIfFree(own, file)) return true;
    return lookAt(file) === 'dead' && takeOver(file, own);
  } finally {
    rmSync(own, { force: true });
  }
}

/** Puts our lock in the place of a dead one. The look and the replacement are one step for all who do it this way. */
function takeOver(file: string, own: string): boolean {
  const turn = `${file}.takeover`;
  if (!linkIfFree(own, turn)) {
    // Its holder may have died in these very lines; then the next attempt finds the way free.
    if (lookAt(turn) === 'dead') rmSync(turn, { force: true });
    return false;
  }
  try {
    // Whoever had the turn before us may have left its own lock. A dead one stays until who has the turn removes it.
    if (lookAt(file) === 'dead') rmSync(file);
    return linkIfFree(own, file);
  } finally {
    rmSync(turn, { force: true });
  }
}

/** In one reading: between two the file may be another's. A damaged lock counts as dead: each is written whole. */
function lookAt(file: string): 'free' | 'held' | 'dead' {
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
