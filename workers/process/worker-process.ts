import { flushCompileCache } from 'node:module';
import { systemClock } from '#common/clock.ts';
import { type Config, readConfig } from '#common/config/config.ts';
import { useBundleFile } from '#common/documents/isolation/bundle-program.ts';
import { requireFences } from '#common/documents/isolation/require-fences.ts';
import { withTimeout } from '#common/platform/concurrency/with-timeout.ts';
import { registerClockOffset } from '#common/platform/mongo/clock-offset.ts';
import { findPending } from '#common/platform/mongo/migrate.ts';
import { connectMongo, disconnectMongo, isMongoReady, readinessTimeoutMs } from '#common/platform/mongo/mongo.ts';
import { transactionRetries } from '#common/platform/mongo/transaction.ts';
import { createLog, type Log } from '#common/platform/process/log.ts';
import { createRegistry, startHealthServer } from '#common/platform/process/metrics.ts';
import { type Running, runProcess } from '#common/platform/process/run-process.ts';
import { closeTempFolders, openTempFolders } from '#common/platform/process/temp-folders.ts';
import { areQueuesReachable, redisTimeoutMs } from '#common/platform/redis/queues.ts';
import { type Redis, readEvictionPolicy } from '#common/platform/redis/redis.ts';
import { refuseCluster } from '#common/platform/redis/refuse-cluster.ts';
import { isStoreThere } from '#common/platform/s3/s3.ts';
import { traceFields } from '#common/platform/spans/tracing.ts';
import { startTracing } from '#common/platform/tracing/start-tracing.ts';
import { registerPressGauges, reportSimulatedPress } from '#common/production/operator/press-gauges.ts';
import { prepareProviders } from '#common/production/submission/create-providers.ts';
import { prepareCarrierFolder } from '#common/production/tracking/carrier-folder.ts';
import { migrations } from '#common/schema/migrations.ts';
import { reportPrivateTargets } from '#common/webhooks/registry/report-private-targets.ts';
import { openResources } from './open-resources.ts';
import { startWorkers } from './start-workers.ts';

let log: Log | undefined;

/** The process also starts while Redis is unreachable. */
const policyTimeoutMs = 2_000;

async function startWorkerProcess(config: Config): Promise<Running> {
  log = createLog('workers', config.logLevel, undefined, config.tracing ? traceFields : undefined);
  const tracing = await startTracing('bluejay-workers', config.tracing, log);
  await openTempFolders(log);
  const registry = createRegistry('workers', [transactionRetries]);
  // The papers of batches have names that customers typed.
  const makesPapers = config.workers.includes('production') && config.print.hotFolder !== null;
  const opensDocuments = config.workers.includes('render') || makesPapers;
  await Promise.all([
    opensDocuments ? requireFences({ ...config, registry, log }) : undefined,
    connectMongo(config.mongo.url, 'bluejay-workers', { socketTimeoutMs: 15_000, poolSize: config.mongo.poolSize }),
    refuseCluster(config.redis, log),
  ]);
  const pending = await findPending(migrations);
  if (pending.length > 0) throw new Error('the database needs migrating; run: npm run admin -- migrate');

  reportPrivateTargets(config.webhooks, registry, log);
  registerClockOffset(registry, systemClock);
  if (config.workers.includes('production')) {
    await prepareProviders(config.print);
    reportSimulatedPress(config.print.rules, registry, log);
  }
  if (config.carrierFolder !== null && config.workers.includes('cleanup')) {
    await prepareCarrierFolder(config.carrierFolder);
  }
  const { close, ...resources } = openResources(config, systemClock, log, registry);
  const { redis } = resources;
  registerPressGauges(config.print.rules, registry, resources.scanState);
  await refuseEviction(redis, config, log);
  const workers = await startWorkers(resources, (reason) => {
    // Uncaught on purpose: the process closes with exit code 1, and its supervisor restarts it.
    setImmediate(() => {
      throw new Error(reason);
    });
  });
  // Compiling the programs of a warm process takes most of a second: not while a letter waits.
  if (opensDocuments) resources.warmPool?.prepare();
  const health = await startHealthServer({
    // The port after the API's. A second worker process on the same machine needs its own METRICS_PORT.
    port: config.http.metricsPort === 0 ? 0 : config.http.metricsPort + 1,
    host: config.http.metricsHost,
    registry,
    checks: {
      ready: { mongo: () => isMongoReady(readinessTimeoutMs) },
      degraded: {
        redis: () => areQueuesReachable(resources.scannerHints, redisTimeoutMs),
        store: () => isStoreThere(resources.store),
      },
    },
    log,
  });
  log.info({ workers: config.workers, metricsPort: health.port }, 'workers started');
  // At exit Node does it too, but not in a process that is killed.
  flushCompileCache();

  return {
    async close() {
      health.stopReadiness();
      await workers.close();
      await close();
      await disconnectMongo();
      await tracing.close();
      await closeTempFolders();
      await health.close();
    },
  };
}

/** Throws (in production) or warns when Redis evicts keys, because it would drop hints and queue state silently. */
async function refuseEviction(redis: Redis, { isProduction }: Config, startLog: Log): Promise<void> {
  const policy = await withTimeout(readEvictionPolicy(redis), policyTimeoutMs, () => null);
  if (policy === null || policy === 'noeviction') return;
  const message = `Redis has maxmemory-policy ${policy}; set it to noeviction`;
  if (isProduction) throw new Error(message);
  startLog.warn(message);
}

/** Runs the workers that this environment names until a signal ends the process. */
export function runWorkerProcess(environment: NodeJS.ProcessEnv): void {
  useBundleFile(environment.DOCUMENT_BUNDLES);
  runProcess(
    () => log,
    async () => startWorkerProcess(readConfig(environment)),
  );
}
