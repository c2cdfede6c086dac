import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { afterAll, beforeAll } from '@jest/globals';
import mongoose from 'mongoose';
import { Registry } from 'prom-client';
import { createApp } from '../../api/app.ts';
import { openServices } from '../../api/open-services.ts';
import { createApiKey } from '../../common/access/api-keys.ts';
import { type Scope, scopes } from '../../common/access/scopes.ts';
import { type Clock, systemClock } from '../../common/clock.ts';
import { readConfig } from '../../common/config.ts';
import type { Mode } from '../../common/modes.ts';
import { openJobWebhookSecrets } from '../../common/organizations/create-organization.ts';
import { Organization, type OrganizationRecord } from '../../common/organizations/organization.model.ts';
import { closeServer, listen } from '../../common/platform/metrics.ts';
import { migrate } from '../../common/platform/migrate.ts';
import { connectMongo, disconnectMongo } from '../../common/platform/mongo.ts';
import { inTransaction } from '../../common/platform/transaction.ts';
import { importTariffs } from '../../common/pricing/tariffs.ts';
import { migrations } from '../../common/schema/migrations.ts';
import { moveMoney } from '../../common/wallet/move-money.ts';
import { openAccount } from '../../common/wallet/open-account.ts';
import { readWallet, topUpWallet } from '../../common/wallet/wallets.ts';
import { openResources } from '../../workers/open-resources.ts';
import { startWorkers } from '../../workers/start-workers.ts';
import { aPostalAddress, exampleTariffs } from './builders.ts';
import { createClient } from './client.ts';
import type { Customer } from './customer.ts';
import { startOwnMongo } from './own-mongo.ts';
import { startOwnRedis } from './own-redis.ts';
import { createSuiteLog, suiteLogLevel } from './suite-log.ts';

export type WorldOptions = {
  /** Also the workers, in this process. */
  hasWorkers?: boolean;
  clock?: Clock;
  /** Variables that differ from the test's defaults. */
  environment?: Record<string, string>;
  /** The six example tariffs; false for an installation that has none. */
  hasTariffs?: boolean;
  /** A Redis that the tests of this file may flush and stop. */
  hasOwnRedis?: boolean;
  /** A MongoDB whose commands the tests of this file may make fail. */
  hasOwnMongo?: boolean;
  /** Hears each line that the product logs. */
  onLogLine?: (line: string) => void;
};

export type World = Awaited<ReturnType<typeof openWorld>>;

/** The product on real servers, with a database and queues of its own for the test file that calls this. */
export function startWorld(options: WorldOptions = {}): World {
  let world: World | undefined;
  beforeAll(async () => {
    world = await openWorld(options);
  });
  afterAll(async () => {
    await world?.close();
  });
  // The tests run after beforeAll, so whatever they ask for is there by then.
  return new Proxy({} as World, {
    get(_target, name) {
      if (!world) throw new Error('The world is used before beforeAll has made it');
      return world[name as keyof World];
    },
  });
}

/** The environment of a world: the servers of the test run, everything else apart from other test files. */
export function testEnvironment(extra: Record<string, string> = {}): Record<string, string | undefined> {
  const name = `t-${randomUUID().slice(0, 12)}`;
  const uri = new URL(extra.MONGODB_URI ?? process.env.MONGODB_URI ?? 'mongodb://is-not-set');
  uri.pathname = `/${name}`;
  return {
    ...process.env,
    QUEUE_PREFIX: name,
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
  hasTariffs = true,
  hasOwnRedis = false,
  hasOwnMongo = false,
  onLogLine,
}: WorldOptions) {
  const ownRedis = hasOwnRedis ? await startOwnRedis() : null;
  const ownMongo = hasOwnMongo ? await startOwnMongo() : null;
  const allVariables = testEnvironment({
    ...(ownRedis && { REDIS_URL: ownRedis.url }),
    ...(ownMongo && { MONGODB_URI: ownMongo.uri }),
    ...environment,
  });
  const config = readConfig(allVariables);
  const log = createSuiteLog(onLogLine);
  await connectMongo(config.mongo.url, config.redis.queuePrefix);
  await migrate(migrations, clock, log);
  if (hasTariffs) await importTariffs(exampleTariffs);

  const { close, redis: _, revocations, ...opened } = openServices(config, clock, log);
  const { services, tokenMint } = opened;
  const { keyRing, store, hints } = services;
  const registry = new Registry();
  const server = createServer(createApp({ config, ...opened, registry, clock, log }));
  const url = `http://127.0.0.1:${await listen(server, 0)}`;
  const { close: closeResources, ...workersOptions } = openResources(config, clock, log);
  const workers = hasWorkers ? await startWorkers(workersOptions) : null;

  async function customer({
    mode = 'test',
    scopes: wanted = scopes,
    organizationId,
    balanceCents,
  }: {
    mode?: Mode;
    scopes?: readonly Scope[];
    organizationId?: string;
    balanceCents?: number;
  } = {}): Promise<Customer> {
    const at = clock.now();
    const owner = organizationId ?? (await openAccount({ name: 'Test', address: aPostalAddress() }, keyRing, at))._id;
    if (balanceCents !== undefined) await setBalance({ organizationId: owner, mode }, balanceCents, at);
    const { key, record } = await createApiKey({ organizationId: owner, mode, scopes: wanted }, at);
    return {
      organizationId: owner,
      mode,
      key,
      keyId: record._id,
      http: createClient(url, key),
      balanceCents: async () => (await readWallet({ organizationId: owner, mode })).balanceCents,
      jobWebhookSecret: async () => {
        const organization = await Organization.findById(owner).orFail().lean<OrganizationRecord>();
        return openJobWebhookSecrets(organization, keyRing)[mode];
      },
    };
  }

  return {
    url,
    config,
    /** For processes of the product that a test starts beside this one. */
    environment: allVariables,
    ownRedis,
    ownMongo,
    services,
    revocations,
    store,
    hints,
    keyRing,
    tokenMint,
    registry,
    log,
    clock,
    workersOptions,
    customer,
    /** Breaks off every request under way, as a proxy does that restarts. */
    dropConnections: () => server.closeAllConnections(),
    async close() {
      await workers?.close();
      services.eventStreams.close();
      await closeServer(server);
      await closeResources();
      await close();
      await mongoose.connection.dropDatabase();
      await disconnectMongo();
      await ownRedis?.close();
      await ownMongo?.close();
    },
  };
}

/** Only for worlds: brings a fresh wallet to a balance, by a top-up or an adjustment through the ledger. */
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
