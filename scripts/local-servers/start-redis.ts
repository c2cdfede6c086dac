import { mkdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { OperatorError } from '../operator-error.ts';
import type { ServerBinary } from './binaries/binary.ts';
import type { KeptProgram } from './keeper/keeper-protocol.ts';
import type { Keeper } from './keeper/start-keeper.ts';
import { findRememberedPort } from './ports.ts';
import { type LocalServer, startListening } from './start-server.ts';

const loadedWithinMs = 30_000;

export type RedisOptions = {
  keeper: Keeper;
  binary: ServerBinary;
  /** Data go to `<dataDir>/redis`, the log to `<dataDir>/logs/redis.log`. */
  dataDir: string;
};

/** Starts Redis on a loopback port, persistent and with `noeviction`, which the queues need. */
export async function startRedis({ keeper, binary, dataDir }: RedisOptions): Promise<LocalServer> {
  const folder = join(dataDir, 'redis');
  await mkdir(folder, { recursive: true });
  await mkdir(join(dataDir, 'logs'), { recursive: true });
  const port = await findRememberedPort(dataDir, 'redis');
  const logFile = join(dataDir, 'logs', 'redis.log');
  const program: KeptProgram = {
    name: 'Redis',
    command: binary.path,
    // Redis writes its files to the working directory, so no path needs quoting in its configuration.
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

/** Waits until PING succeeds. Redis listens before it has loaded its files and answers errors until then. */
async function waitUntilLoaded(port: number): Promise<void> {
  const deadline = performance.now() + loadedWithinMs;
  while (!(await ping(port))) {
    if (performance.now() > deadline)
      throw new OperatorError(`Redis did not load its data within ${loadedWithinMs / 1_000} s.`);
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
