import type { Log } from '#common/platform/process/log.ts';
import { createRedis, type Redis, type RedisAddress } from '#common/platform/redis/redis.ts';

/** Opens a connection to Redis while `work` runs. The work waits until Redis is there. */
export async function withRedis<Result>(
  address: RedisAddress,
  log: Log,
  work: (redis: Redis) => Promise<Result>,
): Promise<Result> {
  // The role `worker` waits for the connection, which this new process has not opened yet.
  const redis = createRedis(address, 'worker', log);
  return await work(redis).finally(() => redis.disconnect());
}
