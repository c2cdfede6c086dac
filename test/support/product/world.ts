import { randomUUID } from 'node:crypto';
import mongoose from 'mongoose';
import { Registry } from 'prom-client';
import { composeApi } from '#api/compose-api.ts';
import { createApiServer } from '#api/http-servers.ts';
import { createApiKey } from '#common/access/api-keys.ts';
import { scopes } from '#common/access/scopes.ts';
import { type Clock, systemClock } from '#common/clock.ts';
import { readConfig } from '#common/config/config.ts';
import type { Mode } from '#common/modes.ts';
import { decryptJobWebhookSecrets } from '#common/organizations/create-organization.ts';
import { Organization, type OrganizationRecord } from '#common/organizations/organization.model.ts';
import { migrate } from '#common/platform/mongo/migrate.ts';
import { connectMongo, disconnectMongo } from '#common/platform/mongo/mongo.ts';
import { inTransaction } from '#common/platform/mongo/transaction.ts';
import { closeServer, listen } from '#common/platform/process/metrics.ts';
import { closeTempFolders } from '#common/platform/process/temp-folders.ts';
import { createGcraLimiter, type GcraLimiter } from '#common/platform/rate-limit/gcra-limiter.ts';
import { createRedis } from '#common/platform/redis/redis.ts';
import { clearTariffCache } from '#common/pricing/find-tariff.ts';
import { importTariffs } from '#common/pricing/manage-tariffs.ts';
import { migrations } from '#common/schema/migrations.ts';
import { moveMoney } from '#common/wallet/ledger/move-money.ts';
import { openAccount } from '#common/wallet/open-account.ts';
import { readWallet, topUpWallet } from '#common/wallet/wallets.ts';
import { targetRules } from '#common/webhooks/egress/address-rules.ts';
import { createWebhookClient } from '#common/webhooks/egress/webhook-client.ts';
import { openResources } from '#workers/process/open-resources.ts';
import { startWorkers } from '#workers/process/start-workers.ts';
import { guardMs, openOnce } from '../jest.ts';
import { shareDocumentProcesses } from '../processes/document-processes.ts';
import { type Fault, startOwnMongo, type Times } from '../servers/own-mongo.ts';
import { startOwnRedis } from '../servers/own-redis.ts';
import { aLetter, aPostalAddress, type Customer, type CustomerOptions, createClient } from './customer.ts';
import { returnDatabase, takeDatabase } from './database.ts';
import { createSuiteLog, suiteLogLevel } from './suite-log.ts';
import { exampleTariffs } from './tariffs.ts';

export type WorldOptions = {
  /** Also starts the workers, in this process. */
  hasWorkers?: boolean;
  clock?: Clock;
  /** Variables that override the defaults of tests. */
  environment?: Record<string, string>;
  /** Starts stores of the tests of this file, with the variables that name them. */
  startStores?: () => Promise<{ environment: Record<string, string>; close(): Promise<void> }>;
  /** Imports the six example tariffs. */
  hasTariffs?: boolean;
  /** Starts a Redis that the tests of this file may flush and stop. */
  hasOwnRedis?: boolean;
  /** Starts a MongoDB whose commands the tests of this file may fail. Tests that wait for it set `isImpatient`. */
  hasOwnMongo?: boolean;
  /** Waits for MongoDB for as long as an installation does, and no longer. */
  isImpatient?: boolean;
  /** Stops the clock of the limiters, so used-up limits stay used up on a slow machine. */
  areLimitsStill?: boolean;
  /** Gets each line that the product logs. */
  onLogLine?: (line: string) => void;
};

export type World = Awaited<ReturnType<typeof openWorld>>;

/** Starts the product on real servers, with a separate database and queues for the calling test file. */
export function startWorld(options: WorldOptions = {}): World {
  return openOnce(() => openWorld(options));
}

/**
 * How long the driver waits for MongoDB. On a machine that stops or is busy, which is no fault of the MongoDB of the
 * tests, it waits for longer than in an installation, also in the processes that a test starts.
 */
const waitingTimes = ['serverSelectionTimeoutMS', 'waitQueueTimeoutMS', 'connectTimeoutMS'];

/** Stops the clock of a limiter. */
export function stopLimiter(limiter: GcraLimiter): GcraLimiter {
  const nowMs = Date.now();
  return { ...limiter, take: (checks) => limiter.take(checks, nowMs) };
}

/** Returns the environment of a world: the servers of the test run, with a separate database and queue prefix. */
function testEnvironment(
  database: string,
  isImpatient: boolean,
  extra: Record<string, string>,
): Record<string, string | undefined> {
  const uri = new URL(extra.MONGODB_URI ?? process.env.MONGODB_URI ?? 'mongodb://is-not-set');
  uri.pathname = `/${database}`;
  if (!isImpatient) for (const name of waitingTimes) uri.searchParams.set(name, '60000');
  return {
    ...process.env,
    // Named, because a test run starts the servers that its files read from the environment.
    REDIS_URL: process.env.REDIS_URL,
    S3_ENDPOINT: process.env.S3_ENDPOINT,
    QUEUE_PREFIX: `t-${randomUUID().slice(0, 12)}`,
    LOG_LEVEL: suiteLogLevel,
    NODE_ENV: 'test',
    PORT: '0',
    ENCRYPTION_KEYS: `t:${Buffer.alloc(32, 7).toString('base64')}`,
    WEBHOOK_ALLOW_LOOPBACK: 'true',
    RATE_LIMIT_READ_PER_MINUTE: '100000',
    RATE_LIMIT_WRITE_PER_MINUTE: '100000',
    RATE_LIMIT_BURST: '100000',
    RATE_LIMIT_OAUTH_CLIENT_PER_MINUTE: '100000',
    RATE_LIMIT_OAUTH_ADDRESS_PER_MINUTE: '100000',
    ...extra,
    MONGODB_URI: uri.href,
  };
}

async function openWorld({
  hasWorkers = false,
  clock = systemClock,
  environment = {},
  startStores,
  hasTariffs = true,
  hasOwnRedis = false,
  hasOwnMongo = false,
  isImpatient = false,
  areLimitsStill = false,
  onLogLine,
}: WorldOptions) {
  const ownRedis = hasOwnRedis ? await startOwnRedis() : null;
  const ownMongo = hasOwnMongo ? await startOwnMongo() : null;
  const stores = await startStores?.();
  const isOwnDatabase = ownMongo !== null || stores?.environment.MONGODB_URI !== undefined;
  const database = isOwnDatabase ? 'own' : takeDatabase();
  const allVariables = {
    ...testEnvironment(database, isImpatient, {
      ...(ownRedis && { REDIS_URL: ownRedis.url }),
      ...(ownMongo && { MONGODB_URI: ownMongo.uri }),
      ...environment,
    }),
    ...stores?.environment,
  };
  const config = readConfig(allVariables);
  const log = createSuiteLog(onLogLine);
  await connectMongo(config.mongo.url, config.redis.queuePrefix);
  await migrate(migrations, clock, log);
  clearTariffCache();
  if (hasTariffs) await importTariffs(exampleTariffs);

  const registry = new Registry();
  // Without a time limit, so a busy machine does not fall back to counting per process. The tests that stop their own
  // Redis need that fallback.
  const limiterRedis = ownRedis ? null : createRedis(config.redis, 'worker', log);
  const moving = limiterRedis
    ? createGcraLimiter({ redis: limiterRedis, prefix: `${config.redis.queuePrefix}:limit`, log, timeoutMs: guardMs })
    : undefined;
  const limiter = areLimitsStill && moving ? stopLimiter(moving) : moving;
  const composed = composeApi({ config, clock, log, registry, ...(limiter && { limiter }) });
  const { services, revocations, tokenMint } = composed;
  const { keyRing, store } = services;
  const server = createApiServer(composed.api);
  const url = `http://127.0.0.1:${await listen(server, 0)}`;
  const { close: closeResources, ...resources } = openResources(config, clock, log);
  // With the common guard, so that no post of a slow machine times out.
  const webhookClient = createWebhookClient(targetRules(config.webhooks), { timeoutMs: guardMs });
  const workersOptions = { ...resources, ...shareDocumentProcesses(), webhookClient };
  const workers = hasWorkers ? await startWorkers(workersOptions) : null;

  async function customer(options: CustomerOptions = {}): Promise<Customer> {
    const { mode = 'test', scopes: wanted = scopes, organizationId, balanceCents } = options;
    const at = clock.now();
    const owner = organizationId ?? (await openAccount({ name: 'Test', address: aPostalAddress() }, keyRing, at))._id;
    if (balanceCents !== undefined) await setBalance({ organizationId: owner, mode }, balanceCents, at);
    const { key, record } = await createApiKey({ organizationId: owner, mode, scopes: wanted }, at);
    const http = createClient(url, key);
    const send: Customer['send'] = async (overrides, headers) =>
      await http.post('/v1/mails', await aLetter({ http }, overrides), headers);
    return {
      ...{ organizationId: owner, mode, key, keyId: record._id, http, send },
      async sendAccepted(overrides) {
        const { status, body } = await send(overrides);
        if (status !== 201) throw new Error(`POST /v1/mails answered ${status}: ${JSON.stringify(body)}`);
        return body.mailJobId;
      },
      balanceCents: async () => (await readWallet({ organizationId: owner, mode })).balanceCents,
      jobWebhookSecret: async () => {
        const organization = await Organization.findById(owner).orFail().lean<OrganizationRecord>();
        return decryptJobWebhookSecrets(organization, keyRing)[mode];
      },
    };
  }

  return {
    url,
    config,
    /** The environment of product processes that a test starts on the same stores. */
    environment: allVariables,
    ownRedis,
    ownMongo,
    services,
    revocations,
    store,
    /** For tests that read and send hints. Those of the API wait for Redis for 50 ms only. */
    hints: workersOptions.scannerHints,
    keyRing,
    tokenMint,
    registry,
    log,
    clock,
    workersOptions,
    customer,
    /** Makes commands of this world fail, which needs its own MongoDB. */
    async fail(fault: Omit<Fault, 'appName' | 'database'>, times: Times): Promise<void> {
      if (!ownMongo) throw new Error('Start this world with hasOwnMongo.');
      await ownMongo.fail({ ...fault, appName: config.redis.queuePrefix, database }, times);
    },
    /** Closes all connections, as a restarting proxy does. */
    dropConnections: () => server.closeAllConnections(),
    async close() {
      await workers?.close();
      composed.endStreams();
      await closeServer(server);
      await webhookClient.close();
      await closeResources();
      await composed.close();
      limiterRedis?.disconnect();
      await (isOwnDatabase ? mongoose.connection.dropDatabase() : returnDatabase());
      await disconnectMongo();
      await closeTempFolders();
      await ownRedis?.close();
      await ownMongo?.close();
      await stores?.close();
    },
  };
}

/** Sets the balance of a new wallet by a top-up or an adjustment in the ledger. */
async function setBalance(
  owner: { organizationId: string; mode: Mode },
  balanceCents: number,
  at: Date,
): Promise<void> {
  const { balanceCents: before } = await readWallet(owner);
  if (balanceCents > before) await topUpWallet(owner, balanceCents - before, 'test', at);
  if (balanceCents >= before) return;
  await inTransaction(async (transaction) => {
    const amountCents = balanceCents - before;
    await moveMoney(transaction, [{ owner, kind: 'adjustment', amountCents, key: `adjustment:${randomUUID()}` }], at);
  });
}
