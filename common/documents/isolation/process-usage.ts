import { readdirSync, readFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';

/** The kernel reports CPU time to user space in hundredths of a second, whatever its internal tick. */
const msPerTick = 10;
const maxStarvedMs = 600_000;

/** Returns the CPU time of all threads of a running process; null when unknown (not Linux, or it has ended). */
export function readCpuMs(pid: number): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The second field, the program's name in parentheses, may contain spaces and parentheses.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * msPerTick;
  } catch {
    return null;
  }
}

/**
 * Returns the time in milliseconds that the threads of a running process were runnable but had no CPU, added up: they
 * mostly wait for each other, as the main thread does for the one that inflates. Sleep does not count. 0 when unknown
 * (not Linux, or the process has ended).
 */
export function readStarvedMs(pid: number): number {
  const waits = listThreads(pid).map((thread) => {
    try {
      // Fields: nanoseconds on the CPU, nanoseconds in the run queue, number of time slices.
      return Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'latin1').split(' ')[1]) / 1e6;
    } catch {
      return 0;
    }
  });
  return waits.reduce((sum, ms) => sum + ms, 0);
}

/**
 * Returns whether a document needs more than `limitMs` of wall time. Time in which other processes had the CPU does not
 * count, up to 10 min: the document did not cause it. `readDocumentStarvedMs` returns that time.
 */
export function isOverWallTime(wallMs: number, limitMs: number, readDocumentStarvedMs: () => number): boolean {
  return wallMs > limitMs && wallMs - Math.min(readDocumentStarvedMs(), maxStarvedMs) > limitMs;
}

/**
 * Lowers the priority of a process. On a contended core it keeps a tenth of the CPU: a starved process would reach its
 * time limit. Linux keeps the priority per thread, so it is set for each; an ended thread is skipped.
 */
export function lowerPriority(pid: number): void {
  for (const thread of listThreads(pid)) {
    try {
      setPriority(thread, constants.priority.PRIORITY_BELOW_NORMAL);
    } catch {
      // The thread has ended.
    }
  }
}

function listThreads(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map(Number);
  } catch {
    return [pid];
  }
}
