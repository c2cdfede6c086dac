import { spawn } from 'node:child_process';
import { constants } from 'node:fs';
import { lstat, mkdtemp, open, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Log } from '#common/platform/process/log.ts';
import { bundleProgram } from './bundle-program.ts';
import { buildChildCommand, type ChildProgram } from './child-command.ts';
import type { ChildLimits } from './child-limits.ts';
import { endSignal, reportName } from './child-main.ts';
import { childEnvironment, keepTail, killGroup } from './child-process.ts';
import { type DocumentFault, isDocumentFault } from './document-error.ts';
import { causeOfExit } from './exit-cause.ts';
import { findFences } from './fences.ts';
import { isOverWallTime, lowerPriority, readCpuMs, readStarvedMs } from './process-usage.ts';

const sampleEveryMs = 50;
const maxReportBytes = 64 * 1024;

/** Resource usage of a child: CPU time as last measured (null when the system does not report it), and wall time. */
export type ChildUsage = { cpuMs: number | null; wallMs: number };

export type ChildRun = {
  program: ChildProgram;
  /** Paths of the files it opens and our own words. Security: never content of a customer. */
  args: readonly string[];
  readable: readonly string[];
  /** The child gets its own folder in this one. It is removed when `runInChild` returns. */
  parentFolder: string;
  /** A file that the child writes to its folder, and the path it is moved to when the child succeeds. */
  output?: { name: string; path: string };
  limits: ChildLimits;
  hasLowPriority: boolean;
  signal: AbortSignal;
  log: Log;
  /** Called every 50 ms. `stop` kills the child at once. `lower` lowers its priority. */
  onUsage?: (usage: ChildUsage) => 'continue' | 'lower' | 'stop';
  /** Returns the time in which the child had no CPU, and the present, in ms. Both are the system's by default. */
  readStarvedMs?: (pid: number) => number;
  now?: () => number;
};

export type ChildEnd =
  | { kind: 'result'; result: unknown; usage: ChildUsage; maxRssKb: number }
  /**
   * The child reported a fault, crashed, or exceeded a limit (`too_hard`, `out_of_cpu`, `out_of_time`). `fileIndex` is
   * what the child reported, a safe integer from 0. It may be wrong.
   */
  | { kind: 'fault'; fault: DocumentFault; fileIndex?: number; usage: ChildUsage }
  /** `onUsage` returned `stop`. */
  | { kind: 'stopped'; usage: ChildUsage };

/** The child failed for reasons outside the document. A retry may succeed. */
export class ChildFailedError extends Error {
  override readonly name = 'ChildFailedError';
}

/**
 * Runs a program on untrusted bytes in its own process group, without environment, under `limits`, and without network
 * where the system allows it. The child returns only a report of at most 64 kB and one output file.
 * Throws `ChildFailedError` or the signal's reason. In any case no process and no file of the child remains.
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
    run.log.debug({ program, ...end.usage, maxRssKb, end: end.kind, stderr: exit.stderr }, 'document process finished');
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
  const [fences, source] = await Promise.all([findFences(), bundleProgram(run.program.entryPath)]).catch((error) => {
    throw new ChildFailedError(`The document process could not be prepared: ${error.message}`, { cause: error });
  });
  run.signal.throwIfAborted();
  const command = buildChildCommand(run.program.permissions, run.args, run.limits, fences, {
    readable: run.readable,
    writable: folder,
  });
  const now = run.now ?? (() => performance.now());
  const startedAtMs = now();
  const child = spawn(command.file, command.args, {
    cwd: folder,
    env: childEnvironment,
    detached: true,
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  // If the child exits before it has read its program, its exit decides. Without free descriptors there is no pipe.
  child.stdin?.on('error', () => {}).end(source);
  const tail = keepTail(child);

  return new Promise((resolve, reject) => {
    let killedFor: Exit['killedFor'] = null;
    let cpuMs: number | null = null;
    const usage = (): ChildUsage => ({ cpuMs, wallMs: Math.round(now() - startedAtMs) });

    const kill = (reason: NonNullable<Exit['killedFor']>) => {
      killedFor ??= reason;
      killGroup(child);
    };
    const sample = () => {
      const { pid } = child;
      if (pid === undefined) return;
      cpuMs = readCpuMs(pid) ?? cpuMs;
      const readStarved = () => (run.readStarvedMs ?? readStarvedMs)(pid);
      if (isOverWallTime(usage().wallMs, run.limits.wallMs, readStarved)) return kill('wall');
      const advice = run.onUsage?.(usage());
      if (advice === 'stop') kill('stop');
      if (advice === 'lower') lowerPriority(pid);
    };
    const onAbort = () => kill('abort');
    const timer = setInterval(sample, sampleEveryMs);
    run.signal.addEventListener('abort', onAbort);
    if (run.hasLowPriority && child.pid !== undefined) lowerPriority(child.pid);

    const settle = () => {
      clearInterval(timer);
      run.signal.removeEventListener('abort', onAbort);
      // Also kills processes that the child started.
      killGroup(child);
    };
    child.once('error', (error) => {
      settle();
      reject(new ChildFailedError(`The document process did not start: ${error.message}`, { cause: error }));
    });
    child.once('exit', async (code, signal) => {
      settle();
      resolve({ code, signal, killedFor, usage: usage(), stderr: await tail() });
    });
  });
}

async function judge(run: ChildRun, exit: Exit, folder: string): Promise<ChildEnd> {
  const { usage } = exit;
  if (exit.killedFor === 'stop') return { kind: 'stopped', usage };
  if (exit.killedFor === 'wall') return { kind: 'fault', fault: 'out_of_time', usage };

  const report = exit.code === 0 || exit.signal === endSignal ? await readReport(join(folder, reportName)) : null;
  if (exit.code !== 0 && !report) {
    const cause = causeOfExit({ ...exit, cpuMs: usage.cpuMs }, run.limits);
    if (cause === 'outside') {
      run.log.warn({ code: exit.code, signal: exit.signal, stderr: exit.stderr }, 'document process failed');
      throw new ChildFailedError(`The document process ended with ${exit.signal ?? `code ${exit.code}`}.`);
    }
    run.log.info(
      { code: exit.code, signal: exit.signal, ...usage, stderr: exit.stderr },
      'document process crashed or exceeded a limit',
    );
    return { kind: 'fault', fault: cause, usage };
  }

  if (!report) return { kind: 'fault', fault: 'too_hard', usage };
  if ('fault' in report) {
    run.log.info({ fault: report.fault, stderr: exit.stderr }, 'document fault reported');
    const fault = isDocumentFault(report.fault) ? report.fault : 'too_hard';
    return { kind: 'fault', fault, ...readFileIndex(report), usage };
  }
  if (run.output) await takeOutput(join(folder, run.output.name), run.output.path, run.limits.fileBytes);
  return { kind: 'result', result: report.result, usage, maxRssKb: Number(report.maxRssKb) };
}

function readFileIndex({ fileIndex }: Record<string, unknown>): { fileIndex?: number } {
  const isIndex = typeof fileIndex === 'number' && Number.isSafeInteger(fileIndex) && fileIndex >= 0;
  return isIndex ? { fileIndex } : {};
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

/** Reads a regular file of bounded size. Security: does not open a link or pipe that a child created in its place. */
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
    throw new ChildFailedError('The child reported success without a valid output file.');
  await rename(from, to);
}
