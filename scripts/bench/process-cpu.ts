import { readFileSync } from 'node:fs';
import { listChildren } from './measure.ts';

/** The kernel reports CPU time to user space in hundredths of a second. */
const msPerTick = 10;

/** CPU time of a process, and of its descendants, whether they still run or have ended. Both 0 outside Linux. */
export type TreeCpu = { ownMs: number; childrenMs: number };

export function readTreeCpu(pid: number | string): TreeCpu {
  const running = listChildren(pid).map(readTreeCpu);
  const childrenMs = running.reduce((sum, child) => sum + child.ownMs + child.childrenMs, 0);
  const { ownMs, endedMs } = readStat(pid);
  return { ownMs, childrenMs: childrenMs + endedMs };
}

/** A child's CPU time is added to its parent when it ends. */
function readStat(pid: number | string): { ownMs: number; endedMs: number } {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The second field, the program's name in parentheses, may contain spaces and parentheses.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [utime = 0, stime = 0, cutime = 0, cstime = 0] = fields.slice(11, 15).map(Number);
    return { ownMs: (utime + stime) * msPerTick, endedMs: (cutime + cstime) * msPerTick };
  } catch {
    return { ownMs: 0, endedMs: 0 };
  }
}
