import { withTimeout } from '../concurrency/with-timeout.ts';
import type { Log } from '../process/log.ts';
import { createRedis, type RedisAddress } from './redis.ts';

/**
 * A process also starts while Redis is silent. While it starts it answers late itself: on a busy machine, the answer of a
 * node that was well took more than a second, and the process started.
 */
const timeoutMs = 10_000;

/**
 * Throws when Redis is a node of Redis Cluster: messages of a queue are in several keys, which a cluster would store on
 * different nodes. Does not throw when Redis cannot be reached, is silent for ten seconds, or does not permit INFO.
 */
export async function refuseCluster(address: RedisAddress, log: Log): Promise<void> {
  // The role `worker` waits for the connection.
  const redis = createRedis(address, 'worker', log);
  const info = redis.info('cluster').catch(() => '');
  const unreachable = new Promise<string>((resolve) => redis.once('close', () => resolve('')));
  const answer = await withTimeout(Promise.race([info, unreachable]), timeoutMs, () => '').finally(() =>
    redis.disconnect(),
  );
  if (!answer.includes('cluster_enabled:1')) return;
  throw new Error(
    'Redis is a node of a Redis Cluster, which Bluejay cannot use. Set REDIS_URL to a server with `cluster-enabled no`, ' +
      'or REDIS_SENTINELS and REDIS_SENTINEL_NAME to servers with a failover by Sentinel.',
  );
}
