import { systemClock } from '#common/clock.ts';
import { type Config, readConfig } from '#common/config/config.ts';
import { prepareBundles } from '#common/documents/isolation/prepare-bundles.ts';
import { migrate } from '#common/platform/mongo/migrate.ts';
import { isMongoUnavailable } from '#common/platform/mongo/mongo.ts';
import { createLog } from '#common/platform/process/log.ts';
import { migrations } from '#common/schema/migrations.ts';
import { demoHotFolder } from '../demo/demo-hot-folder.ts';
import { claimDataDir } from '../local-servers/claim-data-dir.ts';
import { endOrphans } from '../local-servers/keeper/end-orphans.ts';
import { type Keeper, startKeeper } from '../local-servers/keeper/start-keeper.ts';
import { findPortProblem } from '../local-servers/ports.ts';
import { removeRunningEnvironment, writeRunningEnvironment } from '../local-servers/running-environment.ts';
import { startLocalServers } from '../local-servers/start-local-servers.ts';
import type { LocalServer } from '../local-servers/start-server.ts';
import { OperatorError } from '../program/operator-error.ts';
import { withMongo } from '../program/with-mongo.ts';
import { seedDemo } from '../seed.ts';
import { startNodeProgram } from './start-node-program.ts';
import type { Supervised } from './supervise.ts';
import { describeTimeSince, shorten, terminal } from './terminal.ts';

type Environment = Record<string, string>;

export type ServiceOptions = {
  /** The variables that the user has set. */
  given: Record<string, string | undefined>;
  /** Absolute. */
  dataDir: string;
  allowDownload: boolean;
};

/** The running service. */
export type Service = {
  /** All variables of the product and its commands. */
  environment: Environment;
  /** The programs to supervise: the servers first, then API and workers. */
  programs: Supervised[];
  /** Settles when the keeper has ended, so nothing can stop or restart the programs. */
  lost: Promise<void>;
};

/**
 * Starts the whole service: data folder, servers, demo data, API and workers. Disposing of `held` ends all of it in the
 * right order, at any stage of the start. Throws OperatorError or ConfigError.
 */
export async function runService(options: ServiceOptions, held: AsyncDisposableStack): Promise<Service> {
  const { given, dataDir, allowDownload } = options;
  const planned = planEnvironment(given, dataDir);
  const { http } = readConfig(planned);
  const claim = await claimDataDir(dataDir);
  let keeper: Keeper | undefined;
  held.defer(async () => {
    // The keeper stops API and workers, then the servers they need.
    await keeper?.close();
    // Orphans exist only when the keeper was killed.
    await endOrphans(dataDir, 0);
    await removeRunningEnvironment(dataDir);
    claim.release();
  });
  await checkPorts(http);

  // Beside the servers, which a first start downloads meanwhile.
  const bundles = prepareBundles();
  keeper = await startKeeper();
  const local = await startServers(keeper, { given, dataDir, allowDownload });
  const environment = { ...planned, ...local.environment };
  await prepareDatabase(environment.MONGODB_URI ?? '');
  if (!given.MONGODB_URI) {
    const startMs = performance.now();
    await seedDemo(environment, dataDir);
    terminal.done('Demo data', `in ${describeTimeSince(startMs)}, ${shorten(dataDir)}/demo.env`);
  }
  const programs = await startPrograms(keeper, { ...environment, ...(await bundles) }, dataDir);
  await writeRunningEnvironment(dataDir, environment);
  return { environment, programs: [...local.servers.map(asSupervised), ...programs], lost: keeper.gone };
}

/** Throws an OperatorError that names the variable when a port cannot be listened on. Port 0 means any free port. */
async function checkPorts({ port: api, webPort, metricsPort }: Config['http']): Promise<void> {
  const wanted = [
    { port: api, variable: 'PORT', purpose: 'API' },
    { port: webPort, variable: 'WEB_PORT', purpose: 'web host' },
    { port: metricsPort, variable: 'METRICS_PORT', purpose: 'metrics of the API' },
    { port: metricsPort && metricsPort + 1, variable: 'METRICS_PORT', purpose: 'metrics of the workers' },
  ];
  for (const { port, variable, purpose } of wanted.filter((each) => each.port !== 0)) {
    const problem = (await findPortProblem({ port })) ?? (await findPortProblem({ port, host: '127.0.0.1' }));
    if (problem === undefined) continue;
    const reason = problem === 'EADDRINUSE' ? 'is in use by another program' : `cannot be listened on (${problem})`;
    const other = port + 100 <= 60_000 && port >= 1024 ? port + 100 : 3100;
    throw new OperatorError(
      `Port ${port} (${purpose}) ${reason}. Stop what uses it, or choose another: ${variable}=${other} npm start`,
    );
  }
}

/** Returns the environment with placeholders for values known later, so every invalid variable is reported now. */
function planEnvironment(given: ServiceOptions['given'], dataDir: string): Environment {
  const present = Object.entries(given).filter((entry): entry is [string, string] => Boolean(entry[1]?.trim()));
  const { S3_ENDPOINT, ...rest } = Object.fromEntries(present);
  const store = { S3_ENDPOINT: 'http://127.0.0.1', S3_ACCESS_KEY_ID: '-', S3_SECRET_ACCESS_KEY: '-' };
  return {
    MONGODB_URI: 'mongodb://127.0.0.1',
    REDIS_URL: 'redis://127.0.0.1',
    ENCRYPTION_KEYS: `k1:${'A'.repeat(43)}=`,
    WEBHOOK_ALLOW_LOOPBACK: 'true',
    LISTEN_HOST: '127.0.0.1',
    PRINT_PROVIDERS: 'hot-folder',
    HOT_FOLDER: demoHotFolder(dataDir),
    ...rest,
    ...(S3_ENDPOINT ? { S3_ENDPOINT } : store),
    DATA_DIR: dataDir,
  };
}

async function startServers(keeper: Keeper, { given, dataDir, allowDownload }: ServiceOptions) {
  const startMs = performance.now();
  const options = { keeper, dataDir, allowDownload, environment: given };
  const local = await startLocalServers({ ...options, report: terminal.note });
  for (const { name, version, port } of local.servers) {
    terminal.done(`${name} ${version}`.trim(), `in ${describeTimeSince(startMs)}, 127.0.0.1:${port}`);
  }
  return local;
}

/** Migrates the database, because a data folder may come from an earlier version. Throws OperatorError. */
async function prepareDatabase(url: string): Promise<void> {
  const log = createLog('start', 'warn');
  await withMongo(url, 'bluejay-start', () => migrate(migrations, systemClock, log)).catch((error: Error) => {
    if (!isMongoUnavailable(error)) throw error;
    throw new OperatorError(
      `MongoDB does not answer (${error.message}). Check MONGODB_URI, and that it is a replica set.`,
    );
  });
}

async function startPrograms(keeper: Keeper, environment: Environment, dataDir: string): Promise<Supervised[]> {
  const startMs = performance.now();
  const shared = { keeper, environment, dataDir };
  const programs = await Promise.all([
    startNodeProgram({ ...shared, name: 'The API', key: 'api', entry: 'api/server.ts', channel: 0 }),
    startNodeProgram({ ...shared, name: 'The workers', key: 'workers', entry: 'workers/main.ts', channel: 1 }),
  ]);
  terminal.done('API and workers', `in ${describeTimeSince(startMs)}`);
  return programs;
}

function asSupervised({ name, process, restart, logFile }: LocalServer): Supervised {
  return { name, process, restart, lastLines: () => [`see ${shorten(logFile)}`] };
}
