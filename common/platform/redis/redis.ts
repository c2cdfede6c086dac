import { Redis } from 'ioredis';
import type { SentinelGroup } from '#common/config/sentinels.ts';
import type { Log } from '../process/log.ts';
import { explainSentinel, sentinelOptions } from './sentinel-options.ts';

export type { Redis } from 'ioredis';

/** Where Redis is. With sentinels, only scheme, user, password and database number of the URL are used. */
export type RedisAddress = { url: string; sentinel?: SentinelGroup | null };

/**
 * `api`: fails within 50 ms, because a request is waiting. `limiter`: no timeout, because the rate limiter stops waiting
 * itself and uses late answers. `bulk`: 5 s timeout, for batches and the board. `worker`: blocking reads, unlimited
 * retries. `listener`: subscriptions.
 */
export type RedisRole = 'api' | 'limiter' | 'bulk' | 'worker' | 'listener';

const maxReconnectDelayMs = 2_000;
const errorLogStepMs = 1_000;

const roleOptions = {
  // Redis holds only hints and counters, so a request proceeds without it instead of waiting.
  // Auto-pipelining: a write to the socket costs more than a command.
  api: { enableOfflineQueue: false, enableAutoPipelining: true, commandTimeout: 50, maxRetriesPerRequest: 0 },
  limiter: { enableOfflineQueue: false, maxRetriesPerRequest: 0 },
  bulk: { enableOfflineQueue: false, commandTimeout: 5_000, maxRetriesPerRequest: 0 },
  // Blocking reads have no timeout, and may last through an outage.
  worker: { enableOfflineQueue: true, maxRetriesPerRequest: null },
  // No automatic resubscription: the listener must know when it is subscribed.
  listener: { enableOfflineQueue: false, commandTimeout: 5_000, maxRetriesPerRequest: 0, autoResubscribe: false },
} as const;

/**
 * Creates a client that connects in the background, and reconnects after every loss. Never throws when Redis is
 * unreachable: it logs that at most once a second, and commands reject (`api`) or wait (`worker`).
 */
export function createRedis({ url, sentinel }: RedisAddress, role: RedisRole, log: Log): Redis {
  const redis = new Redis(url, {
    ...roleOptions[role],
    ...(sentinel && sentinelOptions(sentinel, url.startsWith('rediss:'))),
    connectionName: `bluejay-${role}`,
    connectTimeout: 5_000,
    keepAlive: 10_000,
    // This timer keeps the process alive even when the connection is already gone.
    disconnectTimeout: 500,
    // By default, up to 20 s pass between attempts, and workers would idle that long after an outage.
    retryStrategy: (tries) => Math.min(100 * tries, maxReconnectDelayMs),
    // The answer of a server that was the master before a failover. Another connection leads to the new one.
    reconnectOnError: ({ message }) => message.includes('READONLY'),
  });
  let loggedAt = Number.NEGATIVE_INFINITY;
  let isUnreachable = false;
  let sentinelProblem: string | undefined;

  // Emitted before `error`, once for each sentinel that does not name a master.
  redis.on('sentinelError', ({ message }: Error) => {
    sentinelProblem = explainSentinel(message);
  });
  // Without a listener, the first lost connection would end the process.
  redis.on('error', (error: Error) => {
    isUnreachable = true;
    if (performance.now() - loggedAt < errorLogStepMs) return;
    loggedAt = performance.now();
    log.warn({ cause: sentinelProblem ?? error.message }, 'redis unreachable, reconnecting');
  });
  redis.on('ready', () => {
    if (isUnreachable) log.info('redis connected again');
    isUnreachable = false;
    sentinelProblem = undefined;
  });
  return redis;
}

/** Returns Redis's `maxmemory-policy`, null when Redis is unreachable or does not permit CONFIG. */
export async function readEvictionPolicy(redis: Redis): Promise<string | null> {
  const [, policy] = await redis.config('GET', 'maxmemory-policy').then(
    (answer) => answer as string[],
    () => [],
  );
  return policy ?? null;
}
