import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { ObjectStoreSettings } from '#common/platform/s3/s3.ts';

const program = join(import.meta.dirname, '../../../scripts/local-servers/object-store/main.ts');

export type StoreProcess = {
  child: ChildProcess;
  settings: ObjectStoreSettings;
  /** Returns the standard error output so far. */
  log(): string;
};

type ProcessOptions = {
  dir: string;
  port: number;
  parentPid?: number;
  /** A shell command before the program, such as `ulimit`. */
  wrapper?: string;
};

/** Starts the embedded store as a child process and waits for `ready`. Throws its standard error if it exits first. */
export async function spawnObjectStore({
  dir,
  port,
  parentPid = process.pid,
  wrapper,
}: ProcessOptions): Promise<StoreProcess> {
  const access = { bucket: 'bluejay', region: 'us-east-1', accessKeyId: 'embedded-key', secretAccessKey: 'secret' };
  const args = [program];
  const env = { PATH: process.env.PATH, OBJECT_STORE: JSON.stringify({ ...access, port, dir, parentPid }) };
  const child = wrapper
    ? spawn('sh', ['-c', `${wrapper}; exec "$@"`, 'sh', process.execPath, ...args], { env })
    : spawn(process.execPath, args, { env });
  let errorOutput = '';
  child.stderr?.on('data', (chunk) => {
    errorOutput += chunk;
  });
  const ended = once(child, 'exit').then(() => {
    throw new Error(errorOutput);
  });
  await Promise.race([firstLine(child), ended]);
  const endpoint = `http://127.0.0.1:${port}`;

  return { child, settings: { ...access, endpoint, publicEndpoint: endpoint }, log: () => errorOutput };
}

/** Ends a process and waits for its exit. Returns the exit code, null when a signal ended it. */
export async function endProcess(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const ended = once(child, 'exit');
  child.kill(signal);
  const [code] = await ended;
  return code;
}

async function firstLine(child: ChildProcess): Promise<void> {
  if (!child.stdout) throw new Error('The store has no standard output.');
  const [line] = await once(createInterface(child.stdout), 'line');
  if (line !== 'ready') throw new Error(`The store printed "${line}" instead of "ready".`);
}
