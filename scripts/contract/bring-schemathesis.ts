import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { access, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findCacheDir } from '../local-servers/binary.ts';
import { acquireFileLock } from '../local-servers/file-lock.ts';
import type { Report } from '../local-servers/find-server.ts';
import { OperatorError } from '../operator-error.ts';

const run = promisify(execFile);

/** Every package that schemathesis needs, in one exact version, each file by its hash. */
const requirementsFile = join(import.meta.dirname, 'requirements.txt');
const leastMinor = 11;
const installTimeoutMs = 300_000;

export type BringOptions = {
  /** PATH, XDG_CACHE_HOME, and what pip reads. */
  environment: Record<string, string | undefined>;
  report: Report;
};

/**
 * The path of the program `st`, in a virtual environment that is made once and kept in the cache. One that was not
 * finished is made anew. Throws OperatorError, which names what to install.
 */
export async function bringSchemathesis({ environment, report }: BringOptions): Promise<string> {
  const python = await findPython(environment);
  const requirements = await readFile(requirementsFile, 'utf8');
  // Another Python, or another list of packages, is another environment.
  const mark = createHash('sha256').update(`${python}\n${requirements}`).digest('hex').slice(0, 12);
  const folder = join(findCacheDir(environment), `schemathesis-${mark}`);
  const program = join(folder, 'bin', 'st');

  const lock = await acquireFileLock(`${folder}.lock`, installTimeoutMs);
  if (!lock) throw new OperatorError(`Another program has been filling ${folder} for minutes: end it, then try again.`);
  try {
    if (await isComplete(folder)) return program;
    report('Bringing schemathesis from PyPI (once) …');
    await rm(folder, { recursive: true, force: true });
    await install(folder, environment);
    // Written last: a folder without it is half a folder.
    await writeFile(completionFile(folder), '');
    return program;
  } finally {
    lock.release();
  }
}

const help =
  'Install Python 3.11 or later with pip (Debian, Ubuntu: sudo apt-get install -y python3 python3-pip; ' +
  'macOS: brew install python), then try again.';

/** Which `python3` is on PATH, told so that another one reads differently. Throws OperatorError for none or an old one. */
async function findPython(env: BringOptions['environment']): Promise<string> {
  const code = 'import sys; print(sys.version_info.minor, sys.prefix, sys.version)';
  const { stdout } = await run('python3', ['-c', code], { env, timeout: 10_000 }).catch(() => {
    throw new OperatorError(`The contract test needs Python, and there is no python3 on PATH. ${help}`);
  });
  const minor = Number(stdout.split(' ', 1)[0]);
  if (minor >= leastMinor) return stdout;
  throw new OperatorError(`The contract test needs a newer Python than 3.${minor}. ${help}`);
}

/** Without a pip of its own: that would need the package python3-venv, and pip can install into it from outside. */
async function install(folder: string, env: BringOptions['environment']): Promise<void> {
  const into = ['--python', join(folder, 'bin', 'python'), '--disable-pip-version-check', '--no-input', '--quiet'];
  const what = ['--require-hashes', '--only-binary=:all:', '--requirement', requirementsFile];
  try {
    await run('python3', ['-m', 'venv', '--without-pip', folder], { env, timeout: 60_000 });
    await run('python3', ['-m', 'pip', ...into, 'install', ...what], { env, timeout: installTimeoutMs });
    await run(join(folder, 'bin', 'st'), ['--version'], { env, timeout: 60_000 });
  } catch (error) {
    const { message, stderr = '' } = error as Error & { stderr?: string };
    const lastWords = stderr.trim().split('\n').at(-1) || message.split('\n', 1)[0];
    throw new OperatorError(`schemathesis could not be installed from PyPI: ${lastWords}\n${help}`);
  }
}

async function isComplete(folder: string): Promise<boolean> {
  return access(completionFile(folder)).then(
    () => true,
    () => false,
  );
}

function completionFile(folder: string): string {
  return join(folder, 'complete');
}
