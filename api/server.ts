import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '#common/clock.ts';
import { type Config, readConfig } from '#common/config/config.ts';
import { loadAddressFont } from '#common/documents/addressing/address-font.ts';
import { useBundleFile } from '#common/documents/isolation/bundle-program.ts';
import { requireFences } from '#common/documents/isolation/require-fences.ts';
import { registerClockOffset } from '#common/platform/mongo/clock-offset.ts';
import { findPending } from '#common/platform/mongo/migrate.ts';
import {
  connectMongo,
  disconnectMongo,
  isMongoReady,
  readinessTimeoutMs,
  readTransactionLifetimeS,
} from '#common/platform/mongo/mongo.ts';
import { transactionRetries } from '#common/platform/mongo/transaction.ts';
import { createLog, type Log } from '#common/platform/process/log.ts';
import { closeServer, createRegistry, listen, startHealthServer } from '#common/platform/process/metrics.ts';
import { type Running, runProcess } from '#common/platform/process/run-process.ts';
import { closeTempFolders, openTempFolders } from '#common/platform/process/temp-folders.ts';
import { areQueuesReachable, redisTimeoutMs } from '#common/platform/redis/queues.ts';
import { refuseCluster } from '#common/platform/redis/refuse-cluster.ts';
import { isStoreThere } from '#common/platform/s3/s3.ts';
import { traceFields } from '#common/platform/spans/tracing.ts';
import { startTracing } from '#common/platform/tracing/start-tracing.ts';
import { migrations } from '#common/schema/migrations.ts';
import { reportPrivateTargets } from '#common/webhooks/registry/report-private-targets.ts';
import { composeApi } from './compose-api.ts';
import { createApiServer, createWebServer } from './http-servers.ts';

let log: Log | undefined;

async function startApi(config: Config): Promise<Running> {
  log = createLog('api', config.logLevel, undefined, config.tracing ? traceFields : undefined);
  const tracing = await startTracing('bluejay-api', config.tracing, log);
  await openTempFolders(log);
  const registry = createRegistry('api', [transactionRetries]);
  reportPrivateTargets(config.webhooks, registry, log);
  registerClockOffset(registry, systemClock);
  await Promise.all([
    // This process renders previews of print files.
    requireFences({ ...config, registry, log }),
    connectMongo(config.mongo.url, 'bluejay-api', { socketTimeoutMs: 15_000, poolSize: config.mongo.poolSize }),
    refuseCluster(config.redis, log),
    // Takes 150 ms of CPU: no request is to wait for it.
    loadAddressFont(),
  ]);
  const pending = await findPending(migrations);
  if (pending.length > 0) throw new Error('The database has pending migrations. Run: npm run admin -- migrate');
  await warnOfLongTransactions(log);

  const { services, boardHints, ...composed } = composeApi({ config, clock: systemClock, log, registry });
  const api = createApiServer(composed.api);
  const web = createWebServer(composed.web);
  const health = await startHealthServer({
    port: config.http.metricsPort,
    host: config.http.metricsHost,
    registry,
    checks: {
      ready: { mongo: () => isMongoReady(readinessTimeoutMs) },
      degraded: {
        redis: () => areQueuesReachable(boardHints, redisTimeoutMs),
        store: () => isStoreThere(services.store),
      },
    },
    log,
  });
  await listen(api, config.http.port, config.http.host);
  await listen(web, config.http.webPort, config.http.host);
  log.info({ port: config.http.port, webPort: config.http.webPort, metricsPort: health.port }, 'api listening');

  return {
    async close(cause) {
      health.stopReadiness();
      // Load balancers send requests until they see it. Those of this time are answered.
      if (cause === 'signal') await sleep(config.drainDelayS * 1_000);
      composed.endStreams();
      await Promise.all([closeServer(api), closeServer(web)]);
      await composed.close();
      await disconnectMongo();
      await tracing.close();
      await closeTempFolders();
      await health.close();
    },
  };
}

const maxTransactionLifetimeS = 15;

/** Warns when MongoDB keeps transactions of a killed process, and the wallets they lock, for longer than 15 s. */
async function warnOfLongTransactions(startLog: Log): Promise<void> {
  const lifetimeS = await readTransactionLifetimeS();
  if (lifetimeS === null || lifetimeS <= maxTransactionLifetimeS) return;
  const advice = 'start mongod with --setParameter transactionLifetimeLimitSeconds=7';
  startLog.warn(
    { lifetimeS },
    `transaction lifetime too long, a killed process would lock its wallets for up to ${lifetimeS} s, ${advice}`,
  );
}

useBundleFile(process.env.DOCUMENT_BUNDLES);
runProcess(
  () => log,
  async () => startApi(readConfig(process.env)),
);
