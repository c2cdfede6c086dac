import { type ChildProcess, spawn } from 'node:child_process';
import { withTimeout } from '#common/platform/concurrency/with-timeout.ts';

export type CommandOptions = {
  cwd?: string;
  env?: Record<string, string | undefined>;
  /** A command that takes longer is killed and fails. Only one that hangs does, unless less is given. */
  withinMs?: number;
  /** After it, the command is killed and fails. */
  signal?: AbortSignal | undefined;
};

/** However slow a machine and its network are, a command that works ends before it. */
const hangMs = 30 * 60_000;
const keptLines = 25;
const readWithinMs = 2_000;

/** A command that ended with another exit code than 0. Its message has the command and its last lines. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

/** Runs a command and returns its standard output without the white space around it. Throws CommandError. */
export async function runCommand(
  [file = '', ...args]: readonly string[],
  { cwd, env = process.env, withinMs = hangMs, signal }: CommandOptions = {},
): Promise<string> {
  signal?.throwIfAborted();
  // In a process group of its own, which can be killed with everything that the command has started.
  const child = spawn(file, args, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const [output, all]: [Buffer[], Buffer[]] = [[], []];
  child.stdout.on('data', (chunk) => output.push(chunk) && all.push(chunk));
  child.stderr.on('data', (chunk) => all.push(chunk));
  let killedBecause = '';
  const kill = (reason: string) => {
    killedBecause = reason;
    killGroup(child);
  };
  const stop = () => kill('was stopped');
  const limit = setTimeout(() => kill(`took longer than ${withinMs / 1_000} s`), withinMs);
  signal?.addEventListener('abort', stop);
  const ended = await waitForEnd(child);
  clearTimeout(limit);
  signal?.removeEventListener('abort', stop);

  const problem = killedBecause || ended;
  if (problem === '') return Buffer.concat(output).toString().trim();
  const lines = Buffer.concat(all).toString().trim().split('\n').slice(-keptLines);
  throw new CommandError(`${[file, ...args].join(' ')}: ${problem}\n${lines.join('\n')}`);
}

/**
 * Settles when the process has ended and its output is read. A process that it has left behind may hold the pipes open for
 * as long as it runs, so the wait for the output is short.
 */
async function waitForEnd(child: ChildProcess): Promise<string> {
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const problem = await new Promise<string>((resolve) => {
    child.once('error', ({ message }) => resolve(message));
    child.once('exit', (code, signal) => resolve(code === 0 ? '' : `exit code ${code ?? signal}`));
  });
  await withTimeout(closed, readWithinMs, () => {});
  child.stdout?.destroy();
  child.stderr?.destroy();
  return problem;
}

function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    // The group has ended in the meantime.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
