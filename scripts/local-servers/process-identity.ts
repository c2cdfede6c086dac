import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** A process that cannot be mistaken for a later one with the same number. */
export type ProcessIdentity = { pid: number; startedAt: string };

/**
 * When the process with this number started, in the words of the operating system; undefined when there is none.
 * A process that has ended and only waits to be reaped (in a container perhaps for ever) counts as none.
 */
function readStart(pid: number): string | undefined {
  if (process.platform === 'linux') {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      // The second field is the program's name in parentheses and may itself hold spaces and parentheses.
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

/** The identity of a running process; undefined when there is none with this number. */
export function identifyProcess(pid: number): ProcessIdentity | undefined {
  const startedAt = readStart(pid);
  return startedAt === undefined ? undefined : { pid, startedAt };
}

/** Whether this very process still runs; its number given to another process does not count. */
export function isRunning(identity: ProcessIdentity): boolean {
  return readStart(identity.pid) === identity.startedAt;
}

/** What `JSON.stringify` made of an identity; undefined when the text is damaged. */
export function parseIdentity(text: string): ProcessIdentity | undefined {
  try {
    const { pid, startedAt } = JSON.parse(text);
    return Number.isInteger(pid) && pid > 0 && typeof startedAt === 'string' ? { pid, startedAt } : undefined;
  } catch {
    return undefined;
  }
}

/** The identity that stands in a file; undefined when the file is absent or damaged. */
export function readIdentity(file: string): ProcessIdentity | undefined {
  try {
    return parseIdentity(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}
