import { linkSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { identifyProcess, isRunning, readIdentity } from './process-identity.ts';

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
    linkSync(own, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    const holder = readIdentity(file);
    if (holder && isRunning(holder)) return false;
    return takeOver(file, own);
  } finally {
    rmSync(own, { force: true });
  }
}

/** Of all who see the same dead holder only one may win: each moves the file aside, and looks at what it has moved. */
function takeOver(file: string, own: string): boolean {
  const aside = `${own}.stale`;
  try {
    renameSync(file, aside);
    const moved = readIdentity(aside);
    if (moved && isRunning(moved)) {
      // Another one was faster, and this is its new lock: put it back.
      linkSync(aside, file);
      return false;
    }
    linkSync(own, file);
    return true;
  } catch {
    return false;
  } finally {
    rmSync(aside, { force: true });
  }
}
