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
  /** Milliseconds until the full burst is available (allowed) or until the caller should come again (refused). */
  resetInMs: number;
  /**
   * Whole seconds to wait before the next request: 0 when allowed, otherwise 1 to 60. It grows with each refusal, so that
   * callers who wait that long share the quota.
   */
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
  /** Resets a key to its full quota, but not what other processes have counted of it. Never rejects. */
  reset(key: string): Promise<void>;
};

/** After a failure, requests are counted in this process for this long before the next call to Redis. */
const skipRedisMs = 1_000;

/**
 * Creates a rate limiter by GCRA in Redis and in this process. A request must pass both: the quota holds in one process
 * always, and over all processes while Redis answers. While Redis is unreachable, or later than `timeoutMs`, only this
 * process decides: a caller then has at most one quota per process, and no request waits or fails. A late answer still
 * tells this process what the others have used.
 */
export function createGcraLimiter(options: {
  /** A client of the role `limiter`. */
  redis: Redis;
  /** Prefix of all keys in Redis. */
  prefix: string;
  log: Log;
  /** How long a request waits for Redis. Default: 50 ms. */
  timeoutMs?: number;
  /** Called for each request that Redis did not decide in time, for the metric. */
  onFallback?: () => void;
  /** A monotonic clock, in milliseconds. */
  nowMs?: () => number;
}): GcraLimiter {
  const { redis, prefix, log, timeoutMs = 50, onFallback, nowMs = () => performance.now() } = options;
  const remote = createGcraRedis(redis, prefix, timeoutMs);
  const local = createLocalLimiter();
  let skipUntilMs = 0;
  let isLocal = false;

  /** Returns the answer of Redis, null when it is unreachable or late. */
  async function ask<T>(inRedis: () => Promise<T>): Promise<T | null> {
    if (nowMs() < skipUntilMs) return null;
    try {
      const answer = await inRedis();
      if (isLocal) log.info('rate limits shared again through redis');
      isLocal = false;
      return answer;
    } catch (error) {
      skipUntilMs = nowMs() + skipRedisMs;
      if (!isLocal) log.warn({ cause: String(error) }, 'rate limits counted per process, redis unavailable');
      isLocal = true;
      return null;
    }
  }

  return {
    async take(input, testNowMs) {
      const checks: readonly LimitCheck[] = Array.isArray(input) ? input : [input];
      const atMs = testNowMs ?? nowMs();
      // Before the answer of Redis, so that requests that wait for it at the same time count too.
      const own = local.take(checks, atMs);
      const isCounted = own.every(isAccepted);
      // What is refused here only joins the queue in Redis, which the processes share.
      const asked = isCounted ? checks : checks.map((check) => ({ ...check, cost: 0 as const }));
      const onLate = (late: readonly GcraReply[]) => local.learn(checks, late, atMs);
      const shared = await ask(() => remote.take(asked, onLate, testNowMs));
      if (shared === null) {
        onFallback?.();
        return toDecision(own);
      }
      if (isCounted && !shared.every(isAccepted)) for (const check of checks) if (check.cost !== 0) local.refund(check);
      return toDecision([...shared, ...own]);
    },
    async refund(check) {
      local.refund(check);
      await ask(() => remote.refund(check));
    },
    async reset(key) {
      local.reset(key);
      await redis.del(`${prefix}:${key}`, `${prefix}:${key}:told`).catch(() => {});
    },
  };
}

/** Counts a request. Throws RATE_LIMITED if it is not allowed. */
export async function takeOrRefuse(limiter: Pick<GcraLimiter, 'take'>, checks: LimitCheck | readonly LimitCheck[]) {
  const { isAllowed, retryAfterS } = await limiter.take(checks);
  if (!isAllowed) throw new AppError('RATE_LIMITED', { retryAfterS });
}

const isAccepted = ([accepted]: GcraReply) => accepted === 1;

function toDecision(replies: readonly GcraReply[]): LimitDecision {
  const isAllowed = replies.every(isAccepted);
  const [, remaining, waitUs] = replies.reduce((least, reply) => (reply[1] < least[1] ? reply : least));
  const longestUs = Math.max(...replies.map(([, , , retryUs]) => retryUs));
  const resetInMs = Math.ceil((isAllowed ? waitUs : longestUs) / 1_000);
  return {
    isAllowed,
    remaining,
    resetInMs,
    retryAfterS: isAllowed ? 0 : Math.max(1, Math.ceil(longestUs / 1_000_000)),
  };
}
