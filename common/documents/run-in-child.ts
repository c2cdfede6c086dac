import { type ChildProcess, spawn } from 'node:child_process';
import { constants } from 'node:fs';
import { lstat, mkdtemp, open, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Log } from '../platform/log.ts';
import { buildChildCommand, type ChildProgram, findFences } from './child-command.ts';
import type { ChildLimits } from './child-limits.ts';
import { ownFailureExitCode, reportName } from './child-main.ts';
import { type DocumentFault, isDocumentFault } from './document-error.ts';
import { lowerPriority, readCpuMs } from './process-usage.ts';

const sampleEveryMs = 50;
const maxReportBytes = 64 * 1024;
const stderrTailBytes = 4096;
const stderrGraceMs = 200;

/** What a child has used: CPU as last seen (null where the system does not tell), and time on the wall. */
export type ChildUsage = { cpuMs: number | null; wallMs: number };

export type ChildRun = {
  program: ChildProgram;
  /** Paths of the files it opens, and words of our own; never bytes of a customer. */
  args: readonly string[];
  readable: readonly string[];
  /** Folder in which the child gets its own one; that is gone when this function returns. */
  parentFolder: string;
  /** A file the child writes in its folder, and where it goes when the child succeeds. */
  output?: { name: string; path: string };
  limits: ChildLimits;
  hasLowPriority: boolean;
  signal: AbortSignal;
  log: Log;
  /** Asked every 50 ms; `stop` ends the child at once. `lower` makes it give way to others. */
  onUsage?: (usage: ChildUsage) => 'go on' | 'lower' | 'stop';
};

export type ChildEnd =
  | { kind: 'result'; result: unknown; usage: ChildUsage; maxRssKb: number }
  /** The document is to blame: the child says why, or it ran into a limit or crashed over it (`too_hard`). */
  | { kind: 'fault'; fault: DocumentFault; usage: ChildUsage }
  /** `onUsage` said so. */
  | { kind: 'stopped'; usage: ChildUsage };

/** The child could not do its work for reasons outside the document: try again later. */
export class ChildFailedError extends Error {
  override readonly name = 'ChildFailedError';
}

/**
 * Runs a program over untrusted bytes in a process group of its own, without environment and (where the system allows
 * it) without network, under `limits`. All that comes back is a report of 64 kB at most and one output file.
 * Throws `ChildFailedError`, or the signal's reason; nothing of the child is left in any case.
 */
export async function runInChild(run: ChildRun): Promise<ChildEnd> {
  run.signal.throwIfAborted();
  const folder = await mkdtemp(join(run.parentFolder, 'child-'));
  try {
    const exit = await watch(run, folder);
    run.signal.throwIfAborted();
    const end = await judge(run, exit, folder);
    const maxRssKb = end.kind === 'result' ? end.maxRssKb : undefined;
    const program = basename(run.program.entryPath);
    run.log.debug({ program, ...end.usage, maxRssKb, end: end.kind, stderr: exit.stderr }, 'document.child');
    return end;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

type Exit = {
  code: number | null;
  signal: NodeJS.Signals | null;
  killedFor: 'wall' | 'stop' | 'abort' | null;
  stderr: string;
  usage: ChildUsage;
};

async function watch(run: ChildRun, folder: string): Promise<Exit> {
  const command = buildChildCommand(run.program, run.args, run.limits, await findFences(), {
    readable: run.readable,
    writable: folder,
  });
  const startedAtMs = performance.now();
  // Two threads are enough for the little file work; each more would cost 8 MB of the data limit.
  const env = { UV_THREADPOOL_SIZE: '2', VIPS_CONCURRENCY: '1', MALLOC_ARENA_MAX: '2' };
  const child = spawn(command.file, command.args, {
    cwd: folder,
    env,
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const tail = keepTail(child);

  return new Promise((resolve, reject) => {
    let killedFor: Exit['killedFor'] = null;
    let cpuMs: number | null = null;
    const usage = (): ChildUsage => ({ cpuMs, wallMs: Math.round(performance.now() - startedAtMs) });

    const kill = (reason: NonNullable<Exit['killedFor']>) => {
      killedFor ??= reason;
      killGroup(child);
    };
    const sample = () => {
      if (child.pid === undefined) return;
      cpuMs = readCpuMs(child.pid) ?? cpuMs;
      if (usage().wallMs > run.limits.wallMs) return kill('wall');
      const advice = run.onUsage?.(usage());
      if (advice === 'stop') kill('stop');
      if (advice === 'lower') lowerPriority(child.pid);
    };
    const onAbort = () => kill('abort');
    const timer = setInterval(sample, sampleEveryMs);
    run.signal.addEventListener('abort', onAbort);
    if (run.hasLowPriority && child.pid !== undefined) lowerPriority(child.pid);

    const settle = () => {
      clearInterval(timer);
      run.signal.removeEventListener('abort', onAbort);
      // Whatever it started and left behind goes with it.
      killGroup(child);
    };
    child.once('error', (error) => {
      settle();
      reject(
        new ChildFailedError(`The process that opens documents did not start: ${error.message}`, { cause: error }),
      );
    });
    child.once('exit', async (code, signal) => {
      settle();
      resolve({ code, signal, killedFor, usage: usage(), stderr: await tail() });
    });
  });
}

function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // Nobody of the group is left.
  }
}

/** Keeps the last bytes of standard error for the log; a process that escaped with the pipe cannot hold us up. */
function keepTail({ stderr }: ChildProcess): () => Promise<string> {
  let tail = Buffer.alloc(0);
  stderr?.on('data', (chunk: Buffer) => {
    tail = Buffer.concat([tail, chunk]).subarray(-stderrTailBytes);
  });
  const closed = new Promise<void>((resolve) => stderr?.once('close', resolve));

  return async () => {
    await Promise.race([closed, setTimeout(stderrGraceMs, undefined, { ref: false })]);
    stderr?.destroy();
    return tail.toString('utf8').trim();
  };
}

async function judge(run: ChildRun, exit: Exit, folder: string): Promise<ChildEnd> {
  const { usage } = exit;
  if (exit.killedFor === 'stop') return { kind: 'stopped', usage };
  if (exit.killedFor === 'wall') return { kind: 'fault', fault: 'too_hard', usage };

  if (exit.code !== 0) {
    if (isOutsideFailure(exit, run.limits)) {
      run.log.warn({ code: exit.code, signal: exit.signal, stderr: exit.stderr }, 'document.child_failed');
      throw new ChildFailedError(`The process that opens documents ended with ${exit.signal ?? `code ${exit.code}`}.`);
    }
    run.log.info({ code: exit.code, signal: exit.signal, ...usage, stderr: exit.stderr }, 'document.child_ended');
    return { kind: 'fault', fault: 'too_hard', usage };
  }

  const report = await readReport(join(folder, reportName));
  if (!report) return { kind: 'fault', fault: 'too_hard', usage };
  if ('fault' in report) {
    run.log.info({ fault: report.fault, stderr: exit.stderr }, 'document.fault');
    return { kind: 'fault', fault: isDocumentFault(report.fault) ? report.fault : 'too_hard', usage };
  }
  if (run.output) await takeOutput(join(folder, run.output.name), run.output.path, run.limits.fileBytes);
  return { kind: 'result', result: report.result, usage, maxRssKb: Number(report.maxRssKb) };
}

/**
 * A program that cannot load, or says so itself, is our failure. So is a SIGKILL that neither we nor the CPU limit
 * sent: the machine ran out of memory, or an operator ended it. Every other crash is what the document brought about.
 */
function isOutsideFailure({ code, signal, usage }: Exit, limits: ChildLimits): boolean {
  if (signal === 'SIGKILL') return (usage.cpuMs ?? 0) < limits.cpuS * 900;
  return code === ownFailureExitCode || code === 1 || code === 126 || code === 127;
}

async function readReport(path: string): Promise<Record<string, unknown> | null> {
  const bytes = await readSmallFile(path);
  if (!bytes) return null;
  try {
    const report: unknown = JSON.parse(bytes.toString('utf8'));
    return typeof report === 'object' && report !== null ? { ...report } : null;
  } catch {
    return null;
  }
}

/** Reads a plain file of bounded size; anything else a child may have put there (a link, a pipe) is not opened. */
async function readSmallFile(path: string): Promise<Buffer | null> {
  const found = await lstat(path).catch(() => null);
  if (!found?.isFile() || found.size > maxReportBytes) return null;
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(maxReportBytes), 0, maxReportBytes, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

async function takeOutput(from: string, to: string, maxBytes: number): Promise<void> {
  const found = await lstat(from).catch(() => null);
  if (!found?.isFile() || found.size > maxBytes)
    throw new ChildFailedError('The child reported success and left no output.');
  await rename(from, to);
}
