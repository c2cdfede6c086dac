import { setFlagsFromString } from 'node:v8';
import { systemClock } from '../common/clock.ts';
import { type Config, readConfig } from '../common/config.ts';
import { mailCommitMetrics } from '../common/mail-jobs/commit-mail-jobs.ts';
import { createLog, type Log } from '../common/platform/log.ts';
import { createRegistry, startHealthServer } from '../common/platform/metrics.ts';
import { findPending } from '../common/platform/migrate.ts';
import { connectMongo, disconnectMongo, isMongoReady } from '../common/platform/mongo.ts';
import { type Redis, readEvictionPolicy } from '../common/platform/redis.ts';
import { type Running, runProcess } from '../common/platform/run-process.ts';
import { migrations } from '../common/schema/migrations.ts';
import { showOpenTargets } from '../common/webhooks/open-targets.ts';
import { openResources } from './open-resources.ts';
import { registerReconcileMetrics } from './reconcile-chore.ts';
import { startWorkers } from './start-workers.ts';

/**
 * Left alone, the heap may grow to several times what is in use before it is cleaned: 430 MB in the middle of a large
 * backlog, of which 90 MB were in use. By this share it stays below 300 MB.
 */
const heapGrowthPercent = 30;

let log: Log | undefined;

const readinessTimeoutMs = 1_000;
/** A Redis that is away is no reason not to start. */
const policyTimeoutMs = 2_000;

async function startWorkerProcess(config: Config): Promise<Running> {
  log = createLog('workers', config.logLevel);
  await connectMongo(config.mongo.url, 'bluejay-workers', { socketTimeoutMs: 15_000 });
  const pending = await findPending(migrations);
  if (pending.length > 0) throw new Error('the database needs migrating; run: npm run admin -- migrate');

  const registry = createRegistry('workers', mailCommitMetrics);
  showOpenTargets(config.webhooks, registry, log);
  const { close, ...resources } = openResources(config, systemClock, log, registry);
  const { redis } = resources;
  await refuseEviction(redis, config, log);
  const workers = await startWorkers(resources, (reason) => {
    // Not to be caught: the process ends in order with exit code 1, and its supervisor starts it anew.
    setImmediate(() => {
      throw new Error(reason);
    });
  });
  registerReconcileMetrics(registry, systemClock);
  const health = await startHealthServer({
    // Beside the API's. A second worker process on the same machine is given a METRICS_PORT of its own.
    port: config.http.metricsPort === 0 ? 0 : config.http.metricsPort + 1,
    registry,
    checks: {
      ready: { mongo: () => isMongoReady(readinessTimeoutMs) },
      degraded: { redis: () => redis.status === 'ready' },
    },
    log,
  });
  log.info({ workers: config.workers, metricsPort: health.port }, 'workers serve');

  return {
    async close() {
      health.stopReadiness();
      await workers.close();
      await close();
      await disconnectMongo();
      await health.close();
    },
  };
}

/** A Redis that throws messages away when it is full would do so silently: hints, and what keeps them in order. */
async function refuseEviction(redis: Redis, { isProduction }: Config, startLog: Log): Promise<void> {
  const { promise: tooLate, resolve } = Promise.withResolvers<null>();
  const timer = setTimeout(() => resolve(null), policyTimeoutMs);
  const policy = await Promise.race([readEvictionPolicy(redis), tooLate]);
  clearTimeout(timer);
  if (policy === null || policy === 'noeviction') return;
  const message = `Redis has maxmemory-policy ${policy}; set it to noeviction`;
  if (isProduction) throw new Error(message);
  startLog.warn(message);
}

setFlagsFromString(`--heap-growing-percent=${heapGrowthPercent}`);
runProcess(
  () => log,
  async () => startWorkerProcess(readConfig(process.env)),
);
