import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { installPythonTools } from '#scripts/sdk/types/python-tools.ts';
import { testWithTool } from '../jest.ts';

const run = promisify(execFile);
const sdk = join(import.meta.dirname, '../../../scripts/sdk/python');
const source = join(sdk, 'src');
const programs = join(import.meta.dirname, '../../sdk/python');
/** Below the limit of the longest test. */
const runWithinMs = 280_000;

/** Installed once per machine, before the tests of a file are declared: some are skipped without it. */
const installed = await installPythonTools().then(
  (bin) => ({ bin, problem: '' }),
  (error: Error) => ({ bin: null, problem: error.message.split('\n', 1)[0] }),
);

/** `test`, if there is a Python, and its packages are there or can be installed. */
export const testWithPython = testWithTool(`Python: ${installed.problem}`, installed.bin !== null);

/** Runs a program of test/sdk/python with the SDK. It gets `input` as JSON and prints its result as JSON. */
export async function runWithSdk<T>(program: string, input: unknown): Promise<T> {
  return JSON.parse(await runPython('python', [join(programs, program), JSON.stringify(input)]));
}

/** Returns the command of an interpreter with httpx, but without the SDK. */
export function pythonWithHttpx(): string {
  return join(installed.bin ?? '', 'python');
}

/**
 * Builds the wheel of the SDK as for its publication and unpacks it, as pip does with a package that has no scripts.
 * `modules` is for PYTHONPATH. Without Python it does nothing, because the tests that need it are skipped or fail.
 */
export async function installPythonSdk() {
  const top = await mkdtemp(join(tmpdir(), 'bluejay-python-sdk-'));
  const modules = join(top, 'modules');
  await mkdir(modules);
  const remove = () => rm(top, { recursive: true, force: true, maxRetries: 5 });
  if (installed.bin === null) return { modules, wheels: [], remove };
  const built = join(top, 'built');
  await runPython('hatchling', ['build', '--target', 'wheel', '--directory', built], { cwd: sdk });
  const wheels = await readdir(built);
  for (const wheel of wheels) await runPython('python', ['-m', 'zipfile', '--extract', join(built, wheel), modules]);
  return { modules, wheels, remove };
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
