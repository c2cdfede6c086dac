import { AppError } from '#common/errors.ts';
import type { Log } from '../process/log.ts';
import type { Redis } from '../redis/redis.ts';
import { createGcraRedis, type GcraReply, type LimitCheck } from './gcra-redis.ts';
import { createLocalLimiter } from './local-limiter.ts';

export type { LimitCheck } from './gcra-redis.ts';

export type LimitDecision = {
  isAllowed: boolean;
  /** Further requests that would be allowed now. */
  remaining: number;
  /** Milliseconds until the full burst is available (allowed) or until the next request is allowed (refused). */
  resetInMs: number;
  /** Whole seconds to wait before the next request: 0 when allowed, otherwise at least 1. */
  retryAfterS: number;
};

/** Counts requests across all processes. Independent of the clock of this host. */
export type GcraLimiter = {
  /**
   * Counts one request under all checks if all of them allow it, under none otherwise. The strictest check decides: the
   * longest wait when refused, the least remaining when allowed. Never rejects. `testNowMs` replaces the clock of Redis.
   */
  take(checks: LimitCheck | readonly LimitCheck[], testNowMs?: number): Promise<LimitDecision>;
  /** Uncounts the newest request of a key, for requests counted before their outcome is known. Never rejects. */
  refund(check: LimitCheck): Promise<void>;
  /** Resets a key to its full quota. Never rejects. */
  reset(key: string): Promise<void>;
};

/** After a failure, requests are counted in this process for this long before the next call to Redis. */
const skipRedisMs = 1_000;

/**
 * Creates a rate limiter by GCRA in Redis. While Redis is unreachable, or slower than the client's `commandTimeout`, each
 * process counts locally: a caller then has one quota per process, and no request waits or fails.
 */
export function createGcraLimiter(options: {
  /** A client of the role `api`, which fails within 50 ms. */
  redis: Redis;
  /** Prefix of all keys in Redis. */
  prefix: string;
  log: Log;
  /** Called for each request that was counted locally, for the metric. */
  onFallback?: () => void;
  /** A monotonic clock, in milliseconds. */
  nowMs?: () => number;
}): GcraLimiter {
  const { redis, prefix, log, onFallback, nowMs = () => performance.now() } = options;
  const remote = createGcraRedis(redis, prefix);
  const local = createLocalLimiter();
  let skipUntilMs = 0;
  let isLocal = false;

  async function withFallback<T>(inRedis: () => Promise<T>, inMemory: () => T): Promise<T> {
    if (nowMs() >= skipUntilMs) {
      try {
        const answer = await inRedis();
        if (isLocal) log.info('rate limits shared again through redis');
        isLocal = false;
        return answer;
      } catch (error) {
        skipUntilMs = nowMs() + skipRedisMs;
        if (!isLocal) log.warn({ cause: String(error) }, 'rate limits counted per process, redis unavailable');
        isLocal = true;
      }
    }
    return inMemory();
  }

  return {
    async take(input, testNowMs) {
      const checks = Array.isArray(input) ? input : [input];
      const replies = await withFallback(
        () => remote.take(checks, testNowMs),
        () => {
          onFallback?.();
          return local.take(checks, testNowMs ?? nowMs());
        },
      );
      return toDecision(replies);
    },
    refund: (check) =>
      withFallback(
        () => remote.refund(check),
        () => local.refund(check),
      ),
    async reset(key) {
      local.reset(key);
      await redis.del(`${prefix}:${key}`).catch(() => {});
    },
  };
}

/** Counts a request. Throws RATE_LIMITED if it is not allowed. */
export async function takeOrRefuse(limiter: Pick<GcraLimiter, 'take'>, checks: LimitCheck | readonly LimitCheck[]) {
  const { isAllowed, retryAfterS } = await limiter.take(checks);
  if (!isAllowed) throw new AppError('RATE_LIMITED', { retryAfterS });
}

function toDecision(replies: readonly GcraReply[]): LimitDecision {
  const refusals = replies.filter(([accepted]) => accepted === 0);
  const isAllowed = refusals.length === 0;
  const strictest = isAllowed
    ? replies.reduce((least, reply) => (reply[1] < least[1] ? reply : least))
    : refusals.reduce((longest, reply) => (reply[2] > longest[2] ? reply : longest));
  const [, remaining, waitUs] = strictest;
  const retryAfterS = isAllowed ? 0 : Math.max(1, Math.ceil(waitUs / 1_000_000));
  return { isAllowed, remaining, resetInMs: Math.ceil(waitUs / 1000), retryAfterS };
}
