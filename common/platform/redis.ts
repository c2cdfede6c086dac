import { Redis } from 'ioredis';
import type { Log } from './log.ts';

export type { Redis } from 'ioredis';

/**
 * Who asks: an `api` must answer its caller within milliseconds, who moves or shows many messages at once is `patient`,
 * a `worker` has nothing to do but wait, and a `listener` is told things.
 */
export type RedisRole = 'api' | 'patient' | 'worker' | 'listener';

const maxReconnectDelayMs = 2_000;
const errorLogStepMs = 1_000;

const roleOptions = {
  // Redis holds hints and counters only: a request goes on without it rather than wait.
  // The commands of requests that come together leave together: a write to the socket costs more than the command.
  // The limiter's questions gather themselves.
  api: {
    enableOfflineQueue: false,
    enableAutoPipelining: true,
    autoPipeliningIgnoredCommands: ['evalsha', 'eval'] as string[],
    commandTimeout: 50,
    maxRetriesPerRequest: 0,
  },
  patient: { enableOfflineQueue: false, commandTimeout: 5_000, maxRetriesPerRequest: 0 },
  // Blocking reads have no time of their own, and what waits for a message may wait through an outage.
  worker: { enableOfflineQueue: true, maxRetriesPerRequest: null },
  // Subscribes by itself after each connect, since it has to know when it is subscribed.
  listener: { enableOfflineQueue: false, commandTimeout: 5_000, maxRetriesPerRequest: 0, autoResubscribe: false },
} as const;

/**
 * A client that connects by itself, in the background, and again after every loss. Never throws for a Redis that is
 * away: that is a line in the log, once a second at most, and a rejected (`api`) or waiting (`worker`) command.
 */
export function createRedis(url: string, role: RedisRole, log: Log): Redis {
  const redis = new Redis(url, {
    ...roleOptions[role],
    connectionName: `bluejay-${role}`,
    connectTimeout: 5_000,
    keepAlive: 10_000,
    // Its timer runs to the end, and holds the process, when the connection is gone already.
    disconnectTimeout: 500,
    // The default waits up to 20 s between tries: workers would stand idle that long after an outage.
    retryStrategy: (tries) => Math.min(100 * tries, maxReconnectDelayMs),
  });
  let loggedAt = Number.NEGATIVE_INFINITY;
  let isAway = false;

  // Without a listener the first lost connection would end the process.
  redis.on('error', (error: Error) => {
    isAway = true;
    if (performance.now() - loggedAt < errorLogStepMs) return;
    loggedAt = performance.now();
    log.warn({ cause: error.message }, 'redis is away; trying again');
  });
  redis.on('ready', () => {
    if (isAway) log.info('redis is back');
    isAway = false;
  });
  return redis;
}

/** What Redis does when its memory is full; null when it does not tell (it is away, or keeps its settings to itself). */
export async function readEvictionPolicy(redis: Redis): Promise<string | null> {
  const [, policy] = await redis.config('GET', 'maxmemory-policy').then(
    (answer) => answer as string[],
    () => [],
  );
  return policy ?? null;
}
