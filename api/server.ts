import { createServer } from 'node:http';
import { join } from 'node:path';
import { systemClock } from '../common/clock.ts';
import { type Config, readConfig } from '../common/config.ts';
import { drainMailCommits, mailCommitMetrics } from '../common/mail-jobs/commit-mail-jobs.ts';
import { createLog, type Log } from '../common/platform/log.ts';
import { createMailer } from '../common/platform/mailer.ts';
import { closeServer, createRegistry, listen, startHealthServer } from '../common/platform/metrics.ts';
import { findPending } from '../common/platform/migrate.ts';
import { connectMongo, disconnectMongo, isMongoReady, readTransactionLifetimeS } from '../common/platform/mongo.ts';
import { createHints } from '../common/platform/queues.ts';
import { createRedis } from '../common/platform/redis.ts';
import { type Running, runProcess } from '../common/platform/run-process.ts';
import type { ObjectStore } from '../common/platform/s3.ts';
import { migrations } from '../common/schema/migrations.ts';
import { showOpenTargets } from '../common/webhooks/open-targets.ts';
import { createApp } from './app.ts';
import { openServices } from './open-services.ts';
import { pages } from './web/pages/index.ts';
import { createWebApp } from './web/web-app.ts';

let log: Log | undefined;

/** Slow clients must not hold connections: a request's headers and its whole must arrive within these times. */
const serverLimits = { headersTimeout: 15_000, requestTimeout: 60_000, keepAliveTimeout: 65_000 };
/** An address that is come back to after the sign-in stands in another address, and grows by it. */
const webServerLimits = { ...serverLimits, maxHeaderSize: 32 * 1024 };
const readinessTimeoutMs = 1_000;

async function startApi(config: Config): Promise<Running> {
  log = createLog('api', config.logLevel);
  const registry = createRegistry('api', mailCommitMetrics);
  showOpenTargets(config.webhooks, registry, log);
  const clock = systemClock;
  await connectMongo(config.mongo.url, 'bluejay-api', { socketTimeoutMs: 15_000 });
  const pending = await findPending(migrations);
  if (pending.length > 0) throw new Error('the database needs migrating; run: npm run admin -- migrate');
  await warnOfLongTransactions(log);

  const { close, redis, revocations, ...opened } = openServices(config, clock, log, registry);
  const { services, limiter } = opened;
  // The board asks for whole pages of messages, which may take longer than a request of the API may wait.
  const boardRedis = createRedis(config.redis.url, 'patient', log);
  const boardHints = createHints({ redis: boardRedis, prefix: config.redis.queuePrefix, log });
  const app = createApp({ config, ...opened, registry, clock, log });
  const api = createServer(serverLimits, app);
  const mailer = createMailer({ ...config.mail, outboxDir: join(config.dataDir, 'outbox'), log });
  const web = createServer(
    webServerLimits,
    createWebApp({ config, pages, services, boardHints, limiter, mailer, revocations, clock, log }),
  );
  const health = await startHealthServer({
    port: config.http.metricsPort,
    registry,
    checks: {
      ready: { mongo: () => isMongoReady(readinessTimeoutMs) },
      degraded: { redis: () => redis.status === 'ready', store: () => isStoreThere(services.store) },
    },
    log,
  });
  await listen(api, config.http.port);
  await listen(web, config.http.webPort);
  log.info({ port: config.http.port, webPort: config.http.webPort, metricsPort: health.port }, 'api serves');

  return {
    async close() {
      health.stopReadiness();
      // They would go on for ever, and the server waits for what is under way.
      services.eventStreams.close();
      await Promise.all([closeServer(api), closeServer(web)]);
      // A caller that has gone away has left its send behind.
      await drainMailCommits();
      await mailer.close();
      await boardHints.close();
      boardRedis.disconnect();
      await close();
      await disconnectMongo();
      await health.close();
    },
  };
}

async function isStoreThere(store: ObjectStore): Promise<boolean> {
  return await store.check().then(
    () => true,
    () => false,
  );
}

const maxTransactionLifetimeS = 15;

/** After a kill -9 the wallets of the sends in flight stay locked that long: operators should know before it happens. */
async function warnOfLongTransactions(startLog: Log): Promise<void> {
  const lifetimeS = await readTransactionLifetimeS();
  if (lifetimeS === null || lifetimeS <= maxTransactionLifetimeS) return;
  const advice = 'start mongod with --setParameter transactionLifetimeLimitSeconds=7';
  startLog.warn({ lifetimeS }, `a killed process would hold its wallets for up to ${lifetimeS} s; ${advice}`);
}

runProcess(
  () => log,
  async () => startApi(readConfig(process.env)),
);
