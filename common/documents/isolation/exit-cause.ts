import type { ChildLimits } from './child-limits.ts';

/** How a child ended, and its CPU time as last measured; null when the system does not report it. */
type Exit = { code: number | null; signal: NodeJS.Signals | null; cpuMs: number | null };

/** Signals that the system sends to a program that crashes or exceeds a limit. */
const crashSignals: readonly NodeJS.Signals[] = [
  'SIGABRT',
  'SIGBUS',
  'SIGFPE',
  'SIGILL',
  'SIGSEGV',
  'SIGSYS',
  'SIGTRAP',
  'SIGXFSZ',
];

/**
 * Returns why a child that the parent did not kill ended without success. `outside`, not caused by the document: the
 * program could not load or reported a machine failure; a SIGKILL that the CPU limit did not send (out of memory, or an
 * operator); any signal that is not a crash signal (systemd sends SIGTERM to all processes of a service that it stops).
 * The document caused every other crash.
 */
export function causeOfExit(exit: Exit, limits: ChildLimits): 'outside' | 'out_of_cpu' | 'too_hard' {
  if (isOutOfCpu(exit, limits)) return 'out_of_cpu';
  const { code, signal } = exit;
  if (signal !== null) return crashSignals.includes(signal) ? 'too_hard' : 'outside';
  return code === 1 || code === 126 || code === 127 ? 'outside' : 'too_hard';
}

/**
 * Returns whether the CPU limit ended the child. The soft limit sends SIGXCPU, the hard limit SIGKILL. A SIGKILL counts
 * from 90 % of the limit, because the last measurement is slightly older.
 */
function isOutOfCpu({ signal, cpuMs }: Exit, { cpuS }: ChildLimits): boolean {
  return signal === 'SIGXCPU' || (signal === 'SIGKILL' && (cpuMs ?? 0) >= cpuS * 900);
}
