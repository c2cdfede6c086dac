import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findCacheDir } from '../local-servers/binaries/binary.ts';
import type { Report } from '../local-servers/binaries/find-server.ts';
import { acquireFileLock } from '../local-servers/file-lock.ts';
import { OperatorError } from '../program/operator-error.ts';

const run = promisify(execFile);

/** All packages of schemathesis, with exact versions and file hashes. */
const requirementsFile = join(import.meta.dirname, 'requirements.txt');
const leastMinor = 11;
const installTimeoutMs = 300_000;

export type InstallOptions = {
  /** PATH, XDG_CACHE_HOME and the variables of pip. */
  environment: Record<string, string | undefined>;
  report: Report;
};

/**
 * Returns the path of the program `st` in a cached virtual environment, which is created on first use and recreated
 * when incomplete. Throws an OperatorError that names what to install.
 */
export async function installSchemathesis({ environment, report }: InstallOptions): Promise<string> {
  const python = await findPython(environment);
  const requirements = await readFile(requirementsFile, 'utf8');
  // Each Python version and package list has its own environment.
  const mark = createHash('sha256').update(`${python}\n${requirements}`).digest('hex').slice(0, 12);
  const folder = join(findCacheDir(environment), `schemathesis-${mark}`);
  const program = join(folder, 'bin', 'st');
  const completionFile = join(folder, 'complete');

  const lock = await acquireFileLock(`${folder}.lock`, installTimeoutMs);
  if (!lock)
    throw new OperatorError(`Another process has been installing to ${folder} for minutes. End it, then try again.`);
  try {
    if (existsSync(completionFile)) return program;
    report('Downloading schemathesis from PyPI (once) …');
    await rm(folder, { recursive: true, force: true });
    await install(folder, environment);
    // Written last, as the mark of a complete installation.
    await writeFile(completionFile, '');
    return program;
  } finally {
    lock.release();
  }
}

const help =
  'Install Python 3.11 or later with pip (Debian, Ubuntu: sudo apt-get install -y python3 python3-pip; ' +
  'macOS: brew install python), then try again.';

/** Returns a text that identifies the `python3` on PATH. Throws an OperatorError when it is missing or too old. */
async function findPython(env: InstallOptions['environment']): Promise<string> {
  const code = 'import sys; print(sys.version_info.minor, sys.prefix, sys.version)';
  const { stdout } = await run('python3', ['-c', code], { env, timeout: 10_000 }).catch(() => {
    throw new OperatorError(`The contract test needs Python, and python3 is not on PATH. ${help}`);
  });
  const minor = Number(stdout.split(' ', 1)[0]);
  if (minor >= leastMinor) return stdout;
  throw new OperatorError(`The contract test needs a newer Python than 3.${minor}. ${help}`);
}

/** Installs with the system's pip. A pip inside the environment would need the package python3-venv. */
async function install(folder: string, env: InstallOptions['environment']): Promise<void> {
  const into = ['--python', join(folder, 'bin', 'python'), '--disable-pip-version-check', '--no-input', '--quiet'];
  const what = ['--require-hashes', '--only-binary=:all:', '--requirement', requirementsFile];
  try {
    await run('python3', ['-m', 'venv', '--without-pip', folder], { env, timeout: 60_000 });
    await run('python3', ['-m', 'pip', ...into, 'install', ...what], { env, timeout: installTimeoutMs });
    await run(join(folder, 'bin', 'st'), ['--version'], { env, timeout: 60_000 });
  } catch (error) {
    const { message, stderr = '' } = error as Error & { stderr?: string };
    const reason = stderr.trim().split('\n').at(-1) || message.split('\n', 1)[0];
    throw new OperatorError(`schemathesis could not be installed from PyPI: ${reason}\n${help}`);
  }
}
