import { readdirSync, readFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';

/** The kernel reports CPU time to programs in hundredths of a second, whatever its own tick is. */
const msPerTick = 10;

/** CPU time a living process has used in all its threads, or null where the system does not tell (not Linux, or gone). */
export function readCpuMs(pid: number): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The second field is the program's name in parentheses and may contain anything.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * msPerTick;
  } catch {
    return null;
  }
}

/**
 * Makes a process give way to others: it keeps a tenth of a core that others want, since one that starves would run
 * into its limit of time. Linux keeps the priority per thread, so each is told; one that is gone is skipped.
 */
export function lowerPriority(pid: number): void {
  for (const thread of listThreads(pid)) {
    try {
      setPriority(thread, constants.priority.PRIORITY_BELOW_NORMAL);
    } catch {
      // It ended meanwhile.
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
