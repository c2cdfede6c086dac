import { readdirSync, readFileSync } from 'node:fs';

/** Whether the system tells which child processes this one has. */
export const canListChildren = listChildren() !== null;

/** Returns the ids of the running child processes of this process; null when the system does not tell. */
export function listChildren(): number[] | null {
  try {
    const threads = readdirSync('/proc/self/task');
    const pids = threads.flatMap((thread) => readFileSync(`/proc/self/task/${thread}/children`, 'latin1').split(' '));
    return pids.filter((pid) => pid !== '' && isRunning(pid)).map(Number);
  } catch {
    return null;
  }
}

/** A process that has ended stays a zombie until its parent notices. */
function isRunning(pid: string): boolean {
  try {
    return !readFileSync(`/proc/${pid}/stat`, 'latin1').includes(') Z ');
  } catch {
    return false;
  }
}

/** Returns the resident memory of a process in MB. */
export function residentMb(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'latin1');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1_024;
}
