import { findMongodb } from './find-mongodb.ts';
import { findRedis } from './find-redis.ts';
import type { FindOptions } from './find-server.ts';
import { readLocalKeys } from './local-keys.ts';
import type { Keeper } from './start-keeper.ts';
import { startMongodb } from './start-mongodb.ts';
import { startObjectStore } from './start-object-store.ts';
import { startRedis } from './start-redis.ts';
import type { LocalServer } from './start-server.ts';

export type LocalServersOptions = FindOptions & {
  keeper: Keeper;
  /** Absolute. The caller has claimed it. */
  dataDir: string;
  isTest?: boolean;
  /** The cache of MongoDB, when it is to be as large as in a deployment. */
  mongodbCacheGb?: number;
};

export type LocalServers = {
  servers: LocalServer[];
  /** The variables that the given environment did not name itself: addresses, credentials, ENCRYPTION_KEYS. */
  environment: Record<string, string>;
  /** Stops the servers; the keeper goes on. */
  close(): Promise<void>;
};

/** Starts, all at once, the servers that `environment` does not name. Throws OperatorError, with nothing left running. */
export async function startLocalServers(options: LocalServersOptions): Promise<LocalServers> {
  const { environment, keeper, dataDir, isTest = false, mongodbCacheGb: cacheGb } = options;
  const starting: Promise<LocalServer>[] = [];
  if (!environment.MONGODB_URI) {
    starting.push(findMongodb(options).then((binary) => startMongodb({ keeper, binary, dataDir, isTest, cacheGb })));
  }
  if (!environment.REDIS_URL) {
    starting.push(findRedis(options).then((binary) => startRedis({ keeper, binary, dataDir })));
  }
  if (!environment.S3_ENDPOINT) starting.push(startObjectStore({ keeper, dataDir }));

  const outcomes = await Promise.allSettled(starting);
  const servers = outcomes.filter((outcome) => outcome.status === 'fulfilled').map(({ value }) => value);
  const close = async (): Promise<void> => {
    await Promise.all(servers.map((server) => server.process.stop()));
  };
  const failure = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failure) {
    await close();
    throw failure.reason;
  }

  const ENCRYPTION_KEYS = environment.ENCRYPTION_KEYS || (await readLocalKeys(dataDir)).encryptionKeys;
  const all = Object.assign({ ENCRYPTION_KEYS }, ...servers.map((server) => server.environment));
  return { servers, environment: all, close };
}
