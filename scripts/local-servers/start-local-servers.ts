import { findMongodb } from './binaries/find-mongodb.ts';
import { findRedis } from './binaries/find-redis.ts';
import type { FindOptions } from './binaries/find-server.ts';
import type { Keeper } from './keeper/start-keeper.ts';
import { readLocalKeys } from './local-keys.ts';
import { startMongodb } from './start-mongodb.ts';
import { startObjectStore } from './start-object-store.ts';
import { startRedis } from './start-redis.ts';
import type { LocalServer } from './start-server.ts';

export type LocalServersOptions = FindOptions & {
  keeper: Keeper;
  /** An absolute path that the caller has claimed. */
  dataDir: string;
  isTest?: boolean;
  /** The servers to start. Default: all. */
  only?: ReadonlySet<'mongodb' | 'redis' | 'object-store'>;
  /** The cache size of MongoDB, for benchmarks that need that of a deployment. */
  mongodbCacheGb?: number;
};

export type LocalServers = {
  servers: LocalServer[];
  /** The variables that the given environment did not set: addresses, credentials, ENCRYPTION_KEYS. */
  environment: Record<string, string>;
};

/**
 * Starts the servers that `environment` does not name, in parallel. Throws OperatorError after stopping those it
 * started.
 */
export async function startLocalServers(options: LocalServersOptions): Promise<LocalServers> {
  const { environment, keeper, dataDir, isTest = false, mongodbCacheGb: cacheGb, only } = options;
  const starting: Promise<LocalServer>[] = [];
  if (!environment.MONGODB_URI && (only?.has('mongodb') ?? true)) {
    starting.push(findMongodb(options).then((binary) => startMongodb({ keeper, binary, dataDir, isTest, cacheGb })));
  }
  if (!environment.REDIS_URL && (only?.has('redis') ?? true)) {
    starting.push(findRedis(options).then((binary) => startRedis({ keeper, binary, dataDir })));
  }
  if (!environment.S3_ENDPOINT && (only?.has('object-store') ?? true)) {
    starting.push(startObjectStore({ keeper, dataDir }));
  }

  const outcomes = await Promise.allSettled(starting);
  const servers = outcomes.filter((outcome) => outcome.status === 'fulfilled').map(({ value }) => value);
  const failure = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failure) {
    await Promise.all(servers.map((server) => server.process.stop()));
    throw failure.reason;
  }

  const ENCRYPTION_KEYS = environment.ENCRYPTION_KEYS || (await readLocalKeys(dataDir)).encryptionKeys;
  const all = Object.assign({ ENCRYPTION_KEYS }, ...servers.map((server) => server.environment));
  return { servers, environment: all };
}
