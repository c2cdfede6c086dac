import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { buildWheel } from '#scripts/sdk/packages/build-wheel.ts';
import { installPythonTools } from '#scripts/sdk/types/python-tools.ts';
import { testWithTool } from '../jest.ts';

const run = promisify(execFile);
const sdk = join(import.meta.dirname, '../../../scripts/sdk/python');
const source = join(sdk, 'src');
const driver = join(import.meta.dirname, '../../sdk/python/driver.py');
/** Below the limit of the longest test. */
const runWithinMs = 280_000;

/** Installed once per machine, before the tests of a file are declared: some are skipped without it. */
const installed = await installPythonTools().then(
  (bin) => ({ bin, problem: '' }),
  (error: Error) => ({ bin: null, problem: error.message.split('\n', 1)[0] }),
);

/** `test`, if there is a Python, and its packages are there or can be installed. */
export const testWithPython = testWithTool(`Python: ${installed.problem}`, installed.bin !== null);

/** Returns the command of an interpreter with httpx, but without the SDK. */
export function pythonWithHttpx(): string {
  return join(installed.bin ?? '', 'python');
}

type Answer = { number: number; line?: unknown; result?: unknown; error?: string };
type Running = { onLine: (line: unknown) => void; resolve: (result: unknown) => void; reject: (error: Error) => void };

/** Starts one process that runs commands of test/sdk/python with the SDK, also several at once. */
export function startPythonDriver() {
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, PYTHONPATH: source, PYTHONDONTWRITEBYTECODE: '1' };
  const child = spawn(pythonWithHttpx(), [driver], { env, stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const running = new Map<number, Running>();
  let number = 0;
  createInterface(child.stdout).on('line', (text) => {
    const { number, error, ...answer }: Answer = JSON.parse(text);
    const command = running.get(number);
    if ('line' in answer) return void command?.onLine(answer.line);
    running.delete(number);
    if (error === undefined) command?.resolve(answer.result);
    else command?.reject(new Error(error));
  });
  let isClosed = false;
  child.stdin.on('error', () => {});
  const endAll = ([code]: unknown[]) => {
    for (const { resolve, reject } of running.values()) {
      if (isClosed) resolve(null);
      else reject(new Error(`Python ended with ${code}`));
    }
  };
  void ended.then(endAll);
  const send = (message: object) => void child.stdin.write(`${JSON.stringify({ number, ...message })}\n`);
  return {
    /** Runs a command and returns its result. */
    run: async (command: string, client: string, given: object, onLine: Running['onLine'] = () => {}) =>
      await new Promise<unknown>((resolve, reject) => {
        number += 1;
        running.set(number, { onLine, resolve, reject });
        send({ command, client, given });
        if (child.exitCode !== null) endAll([child.exitCode]);
      }),
    /** Ends the commands that run at their next line. */
    stop() {
      number += 1;
      send({ command: 'stop' });
    },
    async close() {
      isClosed = true;
      child.stdin.end();
      await ended;
    },
  };
}

/**
 * Builds the wheel of the SDK as the API serves it and unpacks it, as pip does with a package that has no scripts. `modules`
 * is for PYTHONPATH. Without Python it does nothing, because the tests that need it are skipped or fail.
 */
export async function installPythonSdk() {
  const modules = await mkdtemp(join(tmpdir(), 'bluejay-python-sdk-'));
  const remove = () => rm(modules, { recursive: true, force: true, maxRetries: 5 });
  const { name, content } = await buildWheel(sdk);
  if (installed.bin === null) return { modules, wheel: name, remove };
  const file = join(modules, name);
  await writeFile(file, content);
  await runPython('python', ['-m', 'zipfile', '--extract', file, modules]);
  await rm(file);
  return { modules, wheel: name, remove };
}

/**
 * Creates an empty virtual environment beside an environment with httpx and the build backend, and a `pip` for it in
 * `bin`. Nothing is downloaded.
 */
export async function createPipFolder(folder: string): Promise<{ bin: string; python: string }> {
  const [venv, bin] = [join(folder, 'venv'), join(folder, 'bin')];
  await runPython('python', ['-m', 'venv', '--without-pip', venv]);
  const python = join(venv, 'bin/python');
  const program = 'import sysconfig; print(sysconfig.get_path("purelib"))';
  const place = (await run(python, ['-c', program])).stdout.trim();
  await writeFile(join(place, 'tools.pth'), await runPython('python', ['-c', program]));
  await mkdir(bin);
  await writeFile(join(bin, 'pip'), `#!/bin/sh\nexec python3 -m pip --python '${python}' "$@"\n`, { mode: 0o755 });
  return { bin, python };
}

/**
 * Runs a program of the environment with httpx and the tools of the SDK, and returns what it prints. Throws with its
 * output when it fails.
 */
export async function runPython(
  name: string,
  args: readonly string[],
  { cwd = source, environment = {} }: { cwd?: string; environment?: Record<string, string> } = {},
): Promise<string> {
  const { PATH, HOME } = process.env;
  const env = { PATH, HOME, PYTHONPATH: source, PYTHONDONTWRITEBYTECODE: '1', ...environment };
  return (await run(join(installed.bin ?? '', name), [...args], { env, cwd, timeout: runWithinMs })).stdout;
}
