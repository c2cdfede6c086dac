import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import type { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { withTimeout } from '#common/platform/batching/with-timeout.ts';
import type { Log } from '#common/platform/process/log.ts';
import { bundleProgram } from '../isolation/bundle-program.ts';
import { buildChildCommand, pdfiumWasm } from '../isolation/child-command.ts';
import type { ProcessLimits } from '../isolation/child-limits.ts';
import { childEnvironment, keepTail, killGroup } from '../isolation/child-process.ts';
import { findFences } from '../isolation/fences.ts';
import { createAnswerReader, encodeRequest, type WarmAnswer, type WarmRequest } from './warm-frames.ts';
import { watchUsage } from './watch-usage.ts';

/** Paths of what a child runs: its program, and the script that the program evaluates for every file. */
export type WarmPrograms = { program: string; script: string };

const defaultPrograms: WarmPrograms = {
  program: fileURLToPath(new URL('../warm-program/warm.child.ts', import.meta.url)),
  script: fileURLToPath(new URL('../warm-program/warm.script.ts', import.meta.url)),
};

/** Tickets have 32 bits. */
const maxTicket = 2 ** 32;
const maxStartMs = 30_000;
const mib = 1024 * 1024;

/**
 * Limits of the whole process. A child writes no file: a file comes and goes through pipes. Each file has its own limit
 * of CPU time; this one ends a child that has lost its parent. A thousand one-page files need 5 s.
 */
const limits: ProcessLimits = { cpuS: 60, dataBytes: 256 * mib, fileBytes: 0, openFiles: 64 };
/** Nothing a script does changes this realm; no string becomes code; code compiled once is kept. */
const nodeFlags = ['--frozen-intrinsics', '--disallow-code-generation-from-strings', '--no-flush-bytecode'];

/** A process that opens one file after the other, and waits without using CPU meanwhile. */
export type WarmChild = {
  readonly pid: number | undefined;
  /** Whether it can take a file. False for good after a limit, a crash or a byte that is no answer. */
  readonly isUsable: boolean;
  readonly fileCount: number;
  /**
   * Passes a file to the child. Returns null when that ended the child: it broke a limit of one file, crashed, or wrote
   * anything but one answer. Throws the signal's reason, which ends the child too. One file at a time.
   */
  ask(request: WarmRequest, signal: AbortSignal): Promise<WarmAnswer | null>;
  /** Ends the child. A cause is logged. */
  stop(cause?: string): void;
};

/**
 * Starts a warm child and waits until it is ready. Throws when it does not start within 30 s, after its programs have been
 * compiled. Tests change `programs`.
 */
export async function startWarmChild(log: Log, programs: Partial<WarmPrograms> = {}): Promise<WarmChild> {
  const { program, script } = { ...defaultPrograms, ...programs };
  const [fences, source, scriptSource] = await Promise.all([
    findFences(),
    bundleProgram(program),
    bundleProgram(script),
  ]);
  const command = buildChildCommand('plain', [pdfiumWasm], limits, fences, { readable: [], nodeFlags });
  const spawned = spawn(command.file, command.args, {
    cwd: '/',
    env: childEnvironment,
    detached: true,
    stdio: ['pipe', 'ignore', 'pipe', 'pipe', 'pipe'],
  });
  const child = watchWarmChild(spawned, log);
  // If the child exits before it has read its program, its exit decides. Without free descriptors there is no pipe.
  spawned.stdin?.on('error', () => {}).end(source);
  const ready = child.ask({ operation: 'loadScript', bytes: Buffer.from(scriptSource) }, neverAborted);
  const answer = await withTimeout(ready, maxStartMs, () => null);
  if (answer?.outcome === 'done') return child;
  child.stop('It was not ready within 30 s, or did not take its script.');
  throw new Error('A warm document process did not start.');
}

const neverAborted = new AbortController().signal;

function watchWarmChild(spawned: ChildProcess, log: Log): WarmChild {
  // Without free descriptors there are no pipes, and an error follows.
  const pipes = (spawned.stdio ?? []) as (Socket | null | undefined)[];
  const [, , , input, output] = pipes;
  const tail = keepTail(spawned);
  let isEnded = false;
  let fileCount = 0;
  let settle: ((answer: WarmAnswer | null) => void) | null = null;
  let reader = createAnswerReader(0);

  function end(cause: string | null): void {
    if (isEnded) return;
    isEnded = true;
    killGroup(spawned);
    settle?.(null);
    settle = null;
    if (cause !== null)
      void tail().then((stderr) => log.info({ cause, fileCount, stderr }, 'warm document process ended'));
  }
  function read(chunk: Buffer): void {
    try {
      if (!settle) throw new Error('The child wrote without a request.');
      const answer = reader.push(chunk);
      if (!answer) return;
      settle(answer);
      settle = null;
    } catch (error) {
      end(String(error));
    }
  }

  spawned.on('error', (error) => end(String(error)));
  spawned.on('exit', (code, signal) => end(`It exited with ${signal ?? `code ${code}`}.`));
  input?.on('error', () => {});
  output?.on('data', read).on('error', () => {});
  // A process that waits for nothing else may end: the child ends with its input.
  spawned.unref();
  for (const pipe of pipes) pipe?.unref();

  return {
    pid: spawned.pid,
    get isUsable() {
      return !isEnded;
    },
    get fileCount() {
      return fileCount;
    },
    async ask(request, signal) {
      signal.throwIfAborted();
      if (isEnded || !input || spawned.pid === undefined) return null;
      const ticket = randomInt(maxTicket);
      reader = createAnswerReader(ticket);
      const { promise, resolve } = Promise.withResolvers<WarmAnswer | null>();
      settle = resolve;
      const onAbort = () => end('The work was stopped.');
      signal.addEventListener('abort', onAbort);
      // The start, which opens no file, has its own limit.
      const isFile = request.operation !== 'loadScript';
      if (isFile) fileCount += 1;
      const watched = isFile ? watchUsage(spawned.pid, end) : null;
      try {
        for (const bytes of encodeRequest(request, ticket)) input.write(bytes);
        const answer = await promise;
        signal.throwIfAborted();
        return answer;
      } finally {
        watched?.stop();
        signal.removeEventListener('abort', onAbort);
      }
    },
    stop: (cause) => end(cause ?? null),
  };
}
