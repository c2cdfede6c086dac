import { pollUntil } from '#common/platform/concurrency/poll-until.ts';
import { OperatorError } from '../program/operator-error.ts';
import type { KeptProgram } from './keeper/keeper-protocol.ts';
import { probePort } from './ports.ts';
import { type LocalServer, prepareServer, type ServerOptions, startListening } from './start-server.ts';

const loadedWithinMs = 30_000;

export type RedisOptions = ServerOptions & {
  /** Further arguments. */
  args?: readonly string[];
};

/** Starts Redis on a loopback port, persistent and with `noeviction`, which the queues need. */
export async function startRedis({ keeper, binary, dataDir, args = [] }: RedisOptions): Promise<LocalServer> {
  const { port, logFile, ...prepared } = await prepareServer(dataDir, 'redis');
  const program: KeptProgram = {
    ...prepared.program,
    name: 'Redis',
    command: binary.path,
    // Redis writes its files to the working directory, so no path needs quoting in its configuration.
    args: [
      ...['--port', String(port), '--bind', '127.0.0.1', '--protected-mode', 'yes', '--daemonize', 'no'],
      ...['--appendonly', 'yes', '--appendfsync', 'everysec', '--maxmemory-policy', 'noeviction', ...args],
    ],
    environment: { PATH: process.env.PATH ?? '' },
    stopWithinMs: 10_000,
  };
  const start = async () => {
    const kept = await startListening(keeper, program, port);
    // Redis listens before it has loaded its files, and answers errors until then.
    const isLoaded = () => probePort(port, { question: 'PING\r\n', answer: '+PONG' });
    if (await pollUntil(isLoaded, { everyMs: 50, withinMs: loadedWithinMs })) return kept;
    throw new OperatorError(`Redis did not load its data within ${loadedWithinMs / 1_000} s.`);
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
