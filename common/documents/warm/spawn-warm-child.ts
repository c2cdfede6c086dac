import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import type { Socket } from 'node:net';
import { withTimeout } from '#common/platform/concurrency/with-timeout.ts';
import type { Log } from '#common/platform/process/log.ts';
import { bundleProgram } from '../isolation/bundle-program.ts';
import { buildChildCommand } from '../isolation/child-command.ts';
import type { ProcessLimits } from '../isolation/child-limits.ts';
import { childEnvironment, keepTail, killGroup } from '../isolation/child-process.ts';
import { findFences } from '../isolation/fences.ts';
import {
  createAnswerReader,
  encodeRequest,
  startOperations,
  type WarmAnswer,
  type WarmRequest,
} from './warm-frames.ts';
import { type FileLimits, watchUsage } from './watch-usage.ts';

/** Tickets have 32 bits. */
const maxTicket = 2 ** 32;
const maxStartMs = 30_000;

/** What a warm child runs, and its limits. */
export type WarmProgram = {
  /** A TypeScript file. It answers requests, see `warm-frames`. */
  path: string;
  args: readonly string[];
  /** Files that it may open, as resolved paths. */
  readable: readonly string[];
  nodeFlags: readonly string[];
  /** Limits of the whole process. The limit of CPU time ends a child that has lost its parent. */
  limits: ProcessLimits;
  /** Limits of one file. */
  fileLimits: FileLimits;
  /** The first request. The child is ready when it has answered it. */
  startRequest: WarmRequest;
};

/** A process that opens one file after the other, and waits without using CPU meanwhile. */
export type WarmChild = {
  readonly pid: number | undefined;
  /** Whether it can take a file. False for good after a limit, a crash or a byte that is not an answer. */
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

/** Starts a warm child and waits until it is ready. Throws when it does not answer its first request within 30 s. */
export async function spawnWarmChild(log: Log, program: WarmProgram): Promise<WarmChild> {
  const { path, args, readable, nodeFlags, limits, fileLimits, startRequest } = program;
  const [fences, source] = await Promise.all([findFences(), bundleProgram(path)]);
  const command = buildChildCommand('plain', args, limits, fences, { readable, nodeFlags });
  const spawned = spawn(command.file, command.args, {
    cwd: '/',
    env: childEnvironment,
    detached: true,
    stdio: ['pipe', 'ignore', 'pipe', 'pipe', 'pipe'],
  });
  const child = watchWarmChild(spawned, fileLimits, log);
  // If the child exits before it has read its program, its exit decides. Without free descriptors there is no pipe.
  spawned.stdin?.on('error', () => {}).end(source);
  const ready = child.ask(startRequest, neverAborted);
  const answer = await withTimeout(ready, maxStartMs, () => null);
  if (answer?.outcome === 'done') return child;
  child.stop('It was not ready within 30 s, or refused its first request.');
  throw new Error('A warm document process did not start.');
}

const neverAborted = new AbortController().signal;

function watchWarmChild(spawned: ChildProcess, fileLimits: FileLimits, log: Log): WarmChild {
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
      const isFile = !startOperations.includes(request.operation);
      if (isFile) fileCount += 1;
      const watched = isFile ? watchUsage(spawned.pid, fileLimits, end) : null;
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
