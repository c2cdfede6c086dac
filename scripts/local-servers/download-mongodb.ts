import { spawn } from 'node:child_process';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { FindOptions } from './find-server.ts';

/** A machine without a route to the vendor shall notice in seconds; one with a slow route may take its time. */
const silenceBeforeStartMs = 8_000;
const silenceWhileLoadingMs = 60_000;

/**
 * Brings the vendor's build of this version, its checksum checked, and puts `mongod` at `target`, whole or not at all.
 * Throws an error whose message says in a few words why it could not.
 */
export async function downloadMongodb(version: string, target: string, options: FindOptions): Promise<void> {
  const workDir = `${dirname(target)}.${process.pid}.part`;
  await mkdir(workDir, { recursive: true });
  try {
    await runDownload(version, workDir, options);
    const name = (await readdir(workDir)).find((file) => file.startsWith('mongod') && !file.includes('.tgz'));
    if (!name) throw new Error('the download held no mongod');
    await mkdir(dirname(target), { recursive: true });
    await rename(join(workDir, name), target);
  } finally {
    await rm(workDir, { recursive: true, force: true });
  }
}

// In a process of its own: the library prints where it likes, and only a process can be ended at any moment.
const program = `
  import { MongoBinary } from 'mongodb-memory-server-core';
  const [version, downloadDir] = process.argv.slice(1);
  await MongoBinary.getPath({ version, downloadDir, checkMD5: true }).catch((error) => {
    console.error('reason: ' + error.message.split('\\n')[0]);
    process.exit(1);
  });`;

async function runDownload(version: string, workDir: string, options: FindOptions): Promise<void> {
  const { environment, report } = options;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program, version, workDir], {
    cwd: import.meta.dirname,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...environment, MONGOMS_MAX_RETRIES: '0', MONGOMS_PREFER_GLOBAL_PATH: 'false' },
  });
  let reason = 'the download failed';
  let silence = setTimeout(() => {
    reason = 'no route to it';
    child.kill('SIGKILL');
  }, silenceBeforeStartMs);
  const hear = (chunk: Buffer) => {
    const text = chunk.toString();
    reason = /reason: (.*)/.exec(text)?.[1] ?? reason;
    const percent = /(\d+)(?:\.\d+)?% \(/.exec(text)?.[1];
    if (!percent) return;
    report(`  ${percent} %`);
    clearTimeout(silence);
    silence = setTimeout(() => child.kill('SIGKILL'), silenceWhileLoadingMs);
  };
  child.stdout.on('data', hear);
  child.stderr.on('data', hear);
  const code = await new Promise((resolve) => child.once('close', resolve).once('error', resolve));
  clearTimeout(silence);
  if (code !== 0) throw new Error(reason);
}
