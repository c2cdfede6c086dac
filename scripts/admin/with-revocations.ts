import { createRedis } from '../../common/platform/redis.ts';
import { createRevocations, type Revocations } from '../../common/platform/revocations.ts';
import type { AdminServices } from './command.ts';

/** Runs work that ends a credential. The API processes are told before this settles, unless Redis is away. */
export async function withRevocations<T>(
  { config, log }: Pick<AdminServices, 'config' | 'log'>,
  work: (revocations: Revocations) => Promise<T>,
): Promise<T> {
  // The role that waits for its connection: the process is younger than that.
  const redis = createRedis(config.redis.url, 'worker', log);
  try {
    return await work(createRevocations({ redis, prefix: config.redis.queuePrefix, log }));
  } finally {
    redis.disconnect();
  }
}
