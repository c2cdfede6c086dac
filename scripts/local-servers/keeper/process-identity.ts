import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Identifies a process even when its process id is reused later. */
export type ProcessIdentity = { pid: number; startedAt: string };

/**
 * Returns the start time of this process in the format of the operating system, or undefined when it does not run.
 * A zombie does not count as running: in a container it may never be reaped.
 */
function readStart(pid: number): string | undefined {
  if (process.platform === 'linux') {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      // The second field is the program name in parentheses, which may contain spaces and parentheses.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      const [state, ticksSinceBoot] = [fields[0], fields[19]];
      return state === 'Z' || state === 'X' ? undefined : `${readBootId()}/${ticksSinceBoot}`;
    } catch {
      return undefined;
    }
  }
  try {
    const line = execFileSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], { encoding: 'utf8', stdio: 'pipe' });
    const [state = '', ...start] = line.trim().split(/\s+/);
    return state === '' || state.startsWith('Z') ? undefined : start.join(' ');
  } catch {
    return undefined;
  }
}

function readBootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return 'boot';
  }
}

/** Returns the identity of a running process, or undefined when no process has this id. */
export function identifyProcess(pid: number): ProcessIdentity | undefined {
  const startedAt = readStart(pid);
  return startedAt === undefined ? undefined : { pid, startedAt };
}

/** Returns whether this process still runs. A later process with the same id does not count. */
export function isRunning(identity: ProcessIdentity): boolean {
  return readStart(identity.pid) === identity.startedAt;
}

/** Parses an identity from JSON. Returns undefined when the text is damaged. */
export function parseIdentity(text: string): ProcessIdentity | undefined {
  try {
    const { pid, startedAt } = JSON.parse(text);
    return Number.isInteger(pid) && pid > 0 && typeof startedAt === 'string' ? { pid, startedAt } : undefined;
  } catch {
    return undefined;
  }
}

/** Reads an identity from a file. Returns undefined when the file is absent or damaged. */
export function readIdentity(file: string): ProcessIdentity | undefined {
  try {
    return parseIdentity(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}
