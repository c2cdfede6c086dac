import { readConfig } from '../../common/config.ts';
import { claimDataDir } from '../local-servers/claim-data-dir.ts';
import { endLeftovers } from '../local-servers/end-leftovers.ts';
import { removeRunningEnvironment, writeRunningEnvironment } from '../local-servers/running-environment.ts';
import { type Keeper, startKeeper } from '../local-servers/start-keeper.ts';
import { startLocalServers } from '../local-servers/start-local-servers.ts';
import type { LocalServer } from '../local-servers/start-server.ts';
import { seedDemo } from '../seed.ts';
import { checkPorts } from './check-ports.ts';
import { prepareDatabase } from './prepare-database.ts';
import { startNodeProgram } from './start-node-program.ts';
import type { Supervised } from './supervise.ts';
import { describeTimeSince, shorten, terminal } from './terminal.ts';

type Environment = Record<string, string>;

export type ServiceOptions = {
  /** The variables as the person has set them. */
  given: Record<string, string | undefined>;
  /** Absolute. */
  dataDir: string;
  allowDownload: boolean;
};

/** The service, serving. */
export type Service = {
  /** All variables that the product and its commands need. */
  environment: Environment;
  /** What has to be kept alive: the servers first, then our programs. */
  programs: Supervised[];
  /** Settles when nothing keeps the programs any more: nobody would stop or restart them. */
  lost: Promise<void>;
};

/** What the service holds, taken back in `close` in the right order, wherever the start has got to. */
export type ServiceHold = { close(): Promise<void> };

/**
 * Brings the whole service up: data folder, servers, demo data, API and workers. `hold` is given what there is to
 * close as soon as there is something. Throws OperatorError or ConfigError.
 */
export async function runService(options: ServiceOptions, hold: (held: ServiceHold) => void): Promise<Service> {
  const { given, dataDir, allowDownload } = options;
  const planned = planEnvironment(given, dataDir);
  const { http } = readConfig(planned);
  const claim = await claimDataDir(dataDir);
  let keeper: Keeper | undefined;
  hold({
    async close() {
      // The keeper stops API and workers, then the servers they need.
      await keeper?.close();
      // Nothing is left to end, unless somebody has killed the keeper.
      await endLeftovers(dataDir, 0);
      await removeRunningEnvironment(dataDir);
      claim.release();
    },
  });
  await checkPorts([
    { port: http.port, variable: 'PORT', purpose: 'API' },
    { port: http.webPort, variable: 'WEB_PORT', purpose: 'web host' },
    { port: http.metricsPort, variable: 'METRICS_PORT', purpose: 'metrics of the API' },
    { port: http.metricsPort && http.metricsPort + 1, variable: 'METRICS_PORT', purpose: 'metrics of the workers' },
  ]);

  keeper = await startKeeper();
  const local = await bringServers(keeper, { given, dataDir, allowDownload });
  const environment = { ...planned, ...local.environment };
  await prepareDatabase(environment.MONGODB_URI ?? '');
  if (!given.MONGODB_URI) {
    const startMs = performance.now();
    await seedDemo(environment, dataDir);
    terminal.done('Demo data', `in ${describeTimeSince(startMs)}, ${shorten(dataDir)}/demo.env`);
  }
  const programs = await startPrograms(keeper, environment, dataDir);
  await writeRunningEnvironment(dataDir, environment);
  return { environment, programs: [...local.servers.map(asSupervised), ...programs], lost: keeper.gone };
}

/** The whole environment, with placeholders for what is only known later: enough to find every bad variable now. */
function planEnvironment(given: ServiceOptions['given'], dataDir: string): Environment {
  const present = Object.entries(given).filter((entry): entry is [string, string] => Boolean(entry[1]?.trim()));
  const { S3_ENDPOINT, ...rest } = Object.fromEntries(present);
  const store = { S3_ENDPOINT: 'http://127.0.0.1', S3_ACCESS_KEY_ID: '-', S3_SECRET_ACCESS_KEY: '-' };
  return {
    MONGODB_URI: 'mongodb://127.0.0.1',
    REDIS_URL: 'redis://127.0.0.1',
    ENCRYPTION_KEYS: `k1:${'A'.repeat(43)}=`,
    WEBHOOK_ALLOW_LOOPBACK: 'true',
    ...rest,
    ...(S3_ENDPOINT ? { S3_ENDPOINT } : store),
    DATA_DIR: dataDir,
  };
}

async function bringServers(keeper: Keeper, { given, dataDir, allowDownload }: ServiceOptions) {
  const startMs = performance.now();
  const report = (line: string) => terminal.note(line);
  const local = await startLocalServers({ keeper, dataDir, allowDownload, environment: given, report });
  for (const { name, version, port } of local.servers) {
    terminal.done(`${name} ${version}`.trim(), `in ${describeTimeSince(startMs)}, 127.0.0.1:${port}`);
  }
  return local;
}

async function startPrograms(keeper: Keeper, environment: Environment, dataDir: string): Promise<Supervised[]> {
  const startMs = performance.now();
  const report = (line: string) => terminal.warn(line);
  const shared = { keeper, environment, dataDir, report };
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
