import { join } from 'node:path';
import { claimDataDir } from '../local-servers/claim-data-dir.ts';
import { startKeeper } from '../local-servers/keeper/start-keeper.ts';
import { findFreePort } from '../local-servers/ports.ts';
import { startLocalServers } from '../local-servers/start-local-servers.ts';
import { startListening } from '../local-servers/start-server.ts';

/** Options of a benchmark's local servers: MongoDB gets the cache size that docker-compose.yml gives it. */
export const benchStoreOptions = { mongodbCacheGb: 1, allowDownload: true } as const;

const root = join(import.meta.dirname, '../..');

/** A benchmark's own stores and the programs that use them. All of them end with this process. */
export type BenchService = {
  /** Returns the URI of a database on the benchmark's MongoDB. */
  databaseUrl(name: string): string;
  /** The variables that the product needs besides MONGODB_URI. */
  environment: Record<string, string>;
  /** Starts `api/server.ts` in production mode, with rate limits no load reaches, and returns its origin. */
  startApi(name: string, databaseUrl: string, variables?: Record<string, string>): Promise<string>;
  /** Starts a program that takes a port and a database URI as arguments, and returns its origin. */
  startFloor(program: string, databaseUrl: string): Promise<string>;
  close(): Promise<void>;
};

const noLimit = '1000000';

export async function openBenchService(dataDir: string): Promise<BenchService> {
  const claim = await claimDataDir(dataDir);
  const keeper = await startKeeper();
  const close = async () => {
    await keeper.close();
    claim.release();
  };
  const { PATH, HOME, XDG_CACHE_HOME } = process.env;
  const report = (line: string) => void process.stderr.write(`${line}\n`);
  const found = { environment: { PATH, HOME, XDG_CACHE_HOME }, ...benchStoreOptions, report };
  const { environment } = await startLocalServers({ keeper, dataDir, ...found }).catch(async (error) => {
    await close();
    throw error;
  });

  async function start(name: string, args: string[], port: number, variables: Record<string, string>): Promise<string> {
    const program = {
      name,
      command: process.execPath,
      args,
      cwd: root,
      environment: { PATH: PATH ?? '', NODE_ENV: 'production', ...variables },
      // A file, because the reader of a pipe would use CPU time that is measured.
      output: { file: join(dataDir, 'logs', `${name}.log`) },
      identityFile: join(dataDir, 'run', `${name}.json`),
      wave: 2,
      stopWithinMs: 29_000,
    };
    await startListening(keeper, program, port);
    return `http://127.0.0.1:${port}`;
  }

  return {
    databaseUrl(name) {
      const url = new URL(environment.MONGODB_URI ?? '');
      url.pathname = `/${name}`;
      return url.href;
    },
    environment,
    async startApi(name, databaseUrl, variables = {}) {
      const port = await findFreePort();
      return await start(name, [join(root, 'api/server.ts')], port, {
        ...environment,
        MONGODB_URI: databaseUrl,
        QUEUE_PREFIX: name,
        PORT: String(port),
        WEB_PORT: '0',
        METRICS_PORT: '0',
        RATE_LIMIT_READ_PER_MINUTE: noLimit,
        RATE_LIMIT_WRITE_PER_MINUTE: noLimit,
        RATE_LIMIT_BURST: noLimit,
        ...variables,
      });
    },
    async startFloor(program, databaseUrl) {
      const port = await findFreePort();
      return await start('floor', [join(import.meta.dirname, program), String(port), databaseUrl], port, {});
    },
    close,
  };
}
