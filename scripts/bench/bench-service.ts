import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '#common/clock.ts';
import { type Config, readConfig } from '#common/config/config.ts';
import { migrate } from '#common/platform/mongo/migrate.ts';
import { connectMongo, disconnectMongo } from '#common/platform/mongo/mongo.ts';
import { createLog } from '#common/platform/process/log.ts';
import { migrations } from '#common/schema/migrations.ts';
import { claimDataDir } from '../local-servers/claim-data-dir.ts';
import { type Keeper, type KeptProcess, startKeeper } from '../local-servers/keeper/start-keeper.ts';
import { findFreePort } from '../local-servers/ports.ts';
import { startLocalServers } from '../local-servers/start-local-servers.ts';
import { type LocalServer, startListening } from '../local-servers/start-server.ts';

type Variables = Record<string, string>;

/** A process under measurement, of the product or of a store. */
export type BenchProcess = { name: string; pid: number };
export type BenchServer = BenchProcess & {
  origin: string;
  process: KeptProcess;
  logFile: string;
  /** Starts it again on the same port after it has ended. */
  restart(): Promise<KeptProcess>;
  stop(): Promise<void>;
};

/** A benchmark's own stores and the programs that use them. All end when it is disposed of, and with this process. */
export type BenchService = {
  stores: BenchProcess[];
  /** The same stores, with what restarts them. */
  servers: LocalServer[];
  dataDir: string;
  /** Connects this process to a database of the benchmark's MongoDB, in place of the previous one, and migrates it. */
  openDatabase(name: string): Promise<Config>;
  /** Starts `api/server.ts` in production mode, with rate limits no load reaches. */
  startApi(database: string, variables?: Variables): Promise<BenchServer>;
  startWorkers(database: string, variables?: Variables): Promise<BenchServer>;
  /** Starts a program that takes a port and a database URI as arguments. */
  startFloor(program: string, database: string): Promise<BenchServer>;
  [Symbol.asyncDispose](): Promise<void>;
};

const root = join(import.meta.dirname, '../..');
const noLimit = '1000000';
const unlimited: Variables = {
  RATE_LIMIT_READ_PER_MINUTE: noLimit,
  RATE_LIMIT_WRITE_PER_MINUTE: noLimit,
  RATE_LIMIT_BURST: noLimit,
  RATE_LIMIT_OAUTH_CLIENT_PER_MINUTE: noLimit,
  RATE_LIMIT_OAUTH_ADDRESS_PER_MINUTE: noLimit,
};

/** Starts the stores on a folder that is kept for the next run, or on a temporary one. */
export async function openBenchService(keptDir?: string): Promise<BenchService> {
  const dataDir = keptDir ?? (await mkdtemp(join(tmpdir(), 'bluejay-bench-')));
  const claim = await claimDataDir(dataDir);
  const keeper = await startKeeper();
  const close = async () => {
    await disconnectMongo();
    await keeper.close();
    claim.release();
    if (keptDir === undefined) await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
  };
  const { PATH, HOME, XDG_CACHE_HOME } = process.env;
  const report = (line: string) => void process.stderr.write(`${line}\n`);
  // The cache size of MongoDB is that of docker-compose.yml.
  const options = { environment: { PATH, HOME, XDG_CACHE_HOME }, mongodbCacheGb: 1, allowDownload: true, report };
  const local = await startLocalServers({ keeper, dataDir, ...options }).catch(async (error) => {
    await close();
    throw error;
  });

  const variablesOf = (database: string): Variables => {
    const url = new URL(local.environment.MONGODB_URI ?? '');
    url.pathname = `/${database}`;
    return { ...local.environment, MONGODB_URI: url.href, QUEUE_PREFIX: database };
  };
  return {
    stores: local.servers.map(({ name, process: { pid } }) => ({ name, pid })),
    servers: local.servers,
    dataDir,
    async openDatabase(name) {
      const config = readConfig(variablesOf(name));
      await disconnectMongo();
      await connectMongo(config.mongo.url, 'bluejay-bench');
      await migrate(migrations, systemClock, createLog('bench', 'silent'));
      return config;
    },
    async startApi(database, variables) {
      const port = await findFreePort();
      const ports = { PORT: String(port), WEB_PORT: '0', METRICS_PORT: '0' };
      const all = { ...variablesOf(database), ...unlimited, ...ports, ...variables };
      return await startProgram(keeper, dataDir, { program: 'api/server.ts', port, variables: all });
    },
    async startWorkers(database, variables) {
      const port = await findFreePort();
      // The workers listen on the next port.
      const all = { ...variablesOf(database), METRICS_PORT: String(port - 1), ...variables };
      return await startProgram(keeper, dataDir, { program: 'workers/main.ts', port, variables: all });
    },
    async startFloor(program, database) {
      const port = await findFreePort();
      const args = [String(port), variablesOf(database).MONGODB_URI ?? ''];
      return await startProgram(keeper, dataDir, { program, port, args });
    },
    [Symbol.asyncDispose]: close,
  };
}

export type BenchProgram = { program: string; port: number; args?: string[]; variables?: Variables };

/** Starts a program of the repository and waits until it listens on its port. */
export async function startProgram(
  keeper: Keeper,
  dataDir: string,
  { program, port, args = [], variables = {} }: BenchProgram,
): Promise<BenchServer> {
  const name = `${program.replaceAll(/\W/g, '-')}-${port}`;
  const logFile = join(dataDir, 'logs', `${name}.log`);
  const kept = {
    name: program,
    command: process.execPath,
    args: [join(root, program), ...args],
    cwd: root,
    environment: { PATH: process.env.PATH ?? '', NODE_ENV: 'production', DRAIN_DELAY_S: '0', ...variables },
    // A file, because the reader of a pipe would use CPU time that is measured.
    output: { file: logFile },
    identityFile: join(dataDir, 'run', `${name}.json`),
    wave: 2,
    stopWithinMs: 29_000,
  };
  const restart = () => startListening(keeper, kept, port);
  const running = await restart();
  const { pid, stop } = running;
  return { name: program, pid, origin: `http://127.0.0.1:${port}`, process: running, logFile, restart, stop };
}
