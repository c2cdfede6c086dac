import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { installPythonPackages } from '#scripts/program/install-python-packages.ts';

const run = promisify(execFile);

/** The one dependency of the Python SDK and its development tools, with exact versions and file hashes. */
const requirementsFile = join(import.meta.dirname, '../python/requirements.txt');

export type PythonToolsOptions = {
  /** PATH, XDG_CACHE_HOME and the variables of pip. */
  environment?: Record<string, string | undefined>;
  /** The interpreter, `python3` by default. */
  python?: string;
  report?: (line: string) => void;
};

/** Returns the `bin` folder of a cached virtual environment with httpx and the tools. Created on first use. */
export async function installPythonTools({
  environment = process.env,
  python = 'python3',
  report = (line) => void process.stderr.write(`${line}\n`),
}: PythonToolsOptions = {}): Promise<string> {
  return await installPythonPackages({
    ...{ name: 'python-sdk', requirementsFile, leastMinor: 10, proof: 'datamodel-codegen' },
    ...{ what: 'The Python SDK', environment, python, report },
  });
}

/** Runs a tool of the environment. Throws with its messages when it fails. */
export async function runPythonTool(tool: string, args: readonly string[]): Promise<void> {
  await run(join(await installPythonTools(), tool), [...args], { timeout: 120_000 });
}
