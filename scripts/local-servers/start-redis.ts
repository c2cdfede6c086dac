import { mkdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { OperatorError } from '../operator-error.ts';
import type { ServerBinary } from './binary.ts';
import type { KeptProgram } from './keeper-protocol.ts';
import { findRememberedPort } from './ports.ts';
import type { Keeper } from './start-keeper.ts';
import { type LocalServer, startListening } from './start-server.ts';

const loadedWithinMs = 30_000;

export type RedisOptions = {
  keeper: Keeper;
  binary: ServerBinary;
  /** The data lie in `<dataDir>/redis`, the log in `<dataDir>/logs/redis.log`. */
  dataDir: string;
};

/** Redis on a loopback port, keeping what it holds on disk and never evicting a key, as the queues need it. */
export async function startRedis({ keeper, binary, dataDir }: RedisOptions): Promise<LocalServer> {
  const folder = join(dataDir, 'redis');
  await mkdir(folder, { recursive: true });
  await mkdir(join(dataDir, 'logs'), { recursive: true });
  const port = await findRememberedPort(dataDir, 'redis');
  const logFile = join(dataDir, 'logs', 'redis.log');
  const program: KeptProgram = {
    name: 'Redis',
    command: binary.path,
    // Its files go into the working directory, so that no path has to pass its configuration's quoting.
    args: [
      ...['--port', String(port), '--bind', '127.0.0.1', '--protected-mode', 'yes', '--daemonize', 'no'],
      ...['--appendonly', 'yes', '--appendfsync', 'everysec', '--maxmemory-policy', 'noeviction'],
    ],
    cwd: folder,
    environment: { PATH: process.env.PATH ?? '' },
    output: { file: logFile },
    identityFile: join(dataDir, 'run', 'redis.json'),
    wave: 1,
    stopWithinMs: 10_000,
  };
  const start = async () => {
    const kept = await startListening(keeper, program, port);
    await waitUntilLoaded(port);
    return kept;
  };
  return {
    name: 'Redis',
    version: binary.version,
    port,
    logFile,
    process: await start(),
    environment: { REDIS_URL: `redis://127.0.0.1:${port}` },
    restart: start,
  };
}

/** It listens before it has read its files; until then it answers every command with an error. */
async function waitUntilLoaded(port: number): Promise<void> {
  const deadline = performance.now() + loadedWithinMs;
  while (!(await ping(port))) {
    if (performance.now() > deadline) throw new OperatorError('Redis did not finish loading its data.');
    await pause(50);
  }
}

function ping(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  return new Promise((resolve) => {
    const finish = (isLoaded: boolean) => {
      socket.destroy();
      resolve(isLoaded);
    };
    socket.setTimeout(1000, () => finish(false));
    socket.once('error', () => finish(false));
    socket.once('data', (answer) => finish(answer.toString().startsWith('+PONG')));
    socket.write('PING\r\n');
  });
}
