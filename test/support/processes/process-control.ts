import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { identifyProcess } from '#scripts/local-servers/keeper/process-identity.ts';
import { eventually } from '../jest.ts';
import { gatherOutput } from '../product/suite-log.ts';

/** A running program under test. */
export type Program = ReturnType<typeof startProgram>;

export type ProgramOptions = {
  cwd?: string;
  /** The complete environment. Nothing is added. */
  environment?: Record<string, string | undefined>;
};

const root = join(import.meta.dirname, '../../..');
/**
 * Programs of ours start with a third less CPU time. Not for the runner itself: it loads each test file under a new
 * address, which would stay in the cache.
 */
process.env.NODE_COMPILE_CACHE = join(root, 'node_modules/.cache/bluejay');
const started = new Set<ChildProcess>();

/** Starts a program, by default with the environment of this process. */
export function startProgram(command: string, args: string[], options: ProgramOptions = {}) {
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

  return {
    pid: child.pid ?? 0,
    /** Returns the output so far, standard output and standard error. */
    output: () => both,
    /** Returns the standard output so far. */
    standardOutput: () => standard,
    /** Resolves to the exit code, or to the signal that ended the program. */
    ended,
    kill: (signal: NodeJS.Signals) => void child.kill(signal),
    /** Waits for a matching line. Throws with the whole output when there is none in time, or the program ends. */
    async waitForLine(pattern: RegExp): Promise<string> {
      const find = () => both.split('\n').find((line) => pattern.test(line));
      const look = () => {
        const line = find();
        // Without the output, which would count as progress.
        if (line === undefined && !hasEnded) throw new Error(`no line ${pattern}`);
        return line;
      };
      const line = await eventually(look).catch((error: Error) => {
        throw new Error(`${error.message} in:\n${both}`);
      });
      if (line === undefined) throw new Error(`ended without a line ${pattern}:\n${both}`);
      return line;
    },
  };
}

/** Starts one of our TypeScript programs with the Node and the compile cache of the tests. */
export function startNode(args: string[], { cwd, environment }: ProgramOptions = {}): Program {
  const { NODE_COMPILE_CACHE } = process.env;
  const all = environment && { NODE_COMPILE_CACHE, ...environment };
  return startProgram(process.execPath, args, { ...(cwd && { cwd }), ...(all && { environment: all }) });
}

/** Starts an administration command, as an operator's shell does. */
export function startAdmin(words: readonly string[], environment: ProgramOptions['environment'] = {}): Program {
  return startNode([join(root, 'scripts/admin.ts'), ...words], { environment });
}

/** Runs an administration command to its end. `output` has both streams. */
export async function runAdmin(words: readonly string[], environment: ProgramOptions['environment'] = {}) {
  const program = startAdmin(words, environment);
  return { code: await program.ended, output: program.output(), stdout: program.standardOutput() };
}

/** Kills programs that a failed test left running, so one failure does not cause more. For `afterEach`. */
export async function killStartedPrograms(): Promise<void> {
  const running = [...started];
  for (const child of running) child.kill('SIGKILL');
  await Promise.all(running.map((child) => new Promise((resolve) => child.once('exit', resolve))));
}

/** Returns whether a process runs. A zombie does not. */
export function isAlive(pid: number): boolean {
  return identifyProcess(pid) !== undefined;
}

/** Waits until none of these processes runs. Throws with those that do when the time is over. */
export async function waitUntilGone(pids: number[]): Promise<void> {
  await eventually(() => {
    const alive = pids.filter(isAlive);
    if (alive.length > 0) throw new Error(`still running: ${alive.join(', ')}`);
  });
}

/** Suspends a process, as a paused virtual machine does. Returns a function that resumes it. */
export function freeze(pid: number): () => void {
  process.kill(pid, 'SIGSTOP');
  return () => process.kill(pid, 'SIGCONT');
}

/**
 * Returns variables that make a program of ours kill its own process after its nth command to the database, or after the
 * first one with this name. Counted from its first command on `collection`, or with `write` from the first that changes a
 * row there: a worker without the scanner makes it to claim work. Without such a command it runs as usual.
 */
export function dyingAfter(
  command: number | 'commitTransaction',
  collection: 'mail_jobs' | 'ledger_entries' | 'bulks' | 'uploads' | 'letter_settings' | 'item_history' = 'mail_jobs',
  from: 'command' | 'write' = 'command',
): Record<string, string> {
  const preload = pathToFileURL(join(import.meta.dirname, 'die-after-command.program.ts')).href;
  const options = [process.env.NODE_OPTIONS, `--import=${preload}`].filter((each) => each !== undefined);
  const names = from === 'write' ? '(findAndModify|update)' : '\\S+';
  return {
    NODE_OPTIONS: options.join(' '),
    DIE_AFTER_COMMAND: String(command),
    DIE_COUNT_FROM: `^${names} ${collection}$`,
  };
}

/** Starts `api/server.ts` or `workers/main.ts` as a separate process. Waits for the line `ready`. */
export async function startProductProcess(
  entry: 'api/server.ts' | 'workers/main.ts',
  environment: Record<string, string | undefined>,
): Promise<Program> {
  const program = startNode([join(root, entry)], { cwd: root, environment });
  // The output is searched for secrets at the end of the test run.
  void program.ended.then(() => gatherOutput(program.output()));
  await program.waitForLine(/^ready$/);
  return program;
}
