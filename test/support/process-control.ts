import { type ChildProcess, spawn } from 'node:child_process';
import { identifyProcess } from '../../scripts/local-servers/process-identity.ts';
import { eventually } from './eventually.ts';

/** A program under test: what it prints, how it ends, and every way of ending it. */
export type Program = {
  pid: number;
  /** All it has printed so far, on both outputs. */
  output(): string;
  /** What it has printed on standard output alone. */
  standardOutput(): string;
  /** Waits for a line that matches; fails with the whole output when there is none in time, or when it ends before. */
  waitForLine(pattern: RegExp, limits: { withinMs: number }): Promise<string>;
  /** Settles when it has ended, with its exit code, or with the signal that ended it. */
  ended: Promise<number | NodeJS.Signals>;
  kill(signal: NodeJS.Signals): void;
};

export type ProgramOptions = {
  cwd?: string;
  /** The whole environment; nothing is added. */
  environment?: Record<string, string | undefined>;
};

const started = new Set<ChildProcess>();

/** Starts a program, in this process's environment unless told otherwise. */
export function startProgram(command: string, args: string[], options: ProgramOptions = {}): Program {
  const { cwd, environment = process.env } = options;
  const child = spawn(command, args, { ...(cwd && { cwd }), env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
  started.add(child);
  let both = '';
  let standard = '';
  child.stdout.on('data', (chunk: Buffer) => {
    both += chunk;
    standard += chunk;
  });
  child.stderr.on('data', (chunk: Buffer) => {
    both += chunk;
  });
  let hasEnded = false;
  const ended = new Promise<number | NodeJS.Signals>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      hasEnded = true;
      started.delete(child);
      resolve(code ?? signal ?? 1);
    });
  });
  const output = () => both;

  return {
    pid: child.pid ?? 0,
    output,
    standardOutput: () => standard,
    ended,
    kill: (signal) => void child.kill(signal),
    async waitForLine(pattern, { withinMs }) {
      const find = () => both.split('\n').find((line) => pattern.test(line));
      const look = () => {
        const line = find();
        if (line === undefined && !hasEnded) throw new Error(`no line ${pattern} in:\n${both}`);
        return line;
      };
      const line = await eventually(look, { withinMs });
      if (line === undefined) throw new Error(`ended without a line ${pattern}:\n${both}`);
      return line;
    },
  };
}

/** Starts one of our TypeScript programs with the Node that runs the tests. */
export function startNode(args: string[], options: ProgramOptions = {}): Program {
  return startProgram(process.execPath, args, options);
}

/** For `afterEach`: kills what a failed test has left, so that one failure does not become many. */
export async function killStartedPrograms(): Promise<void> {
  const leftovers = [...started];
  for (const child of leftovers) child.kill('SIGKILL');
  await Promise.all(leftovers.map((child) => new Promise((resolve) => child.once('exit', resolve))));
}

/** Whether a process runs; one that has ended and only waits to be reaped does not. */
export function isAlive(pid: number): boolean {
  return identifyProcess(pid) !== undefined;
}

/** Waits until none of these processes runs any more; fails naming those that do. */
export async function waitUntilGone(pids: number[], limits: { withinMs: number }): Promise<void> {
  await eventually(() => {
    const alive = pids.filter(isAlive);
    if (alive.length > 0) throw new Error(`still running: ${alive.join(', ')}`);
  }, limits);
}

/** Freezes a process in the middle of whatever it does, as a stopped virtual machine would. Returns what thaws it. */
export function freeze(pid: number): () => void {
  process.kill(pid, 'SIGSTOP');
  return () => process.kill(pid, 'SIGCONT');
}
