import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { installPythonTools } from '#scripts/sdk/types/python-tools.ts';
import { testWithTool } from '../jest.ts';

const run = promisify(execFile);
const source = join(import.meta.dirname, '../../../scripts/sdk/python/src');
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
