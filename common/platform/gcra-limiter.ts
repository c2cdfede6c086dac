import { createGcraMemory, type GcraReply, type LimitQuestion } from './gcra-memory.ts';
import { createGcraRedis } from './gcra-redis.ts';
import type { Log } from './log.ts';
import type { Redis } from './redis.ts';

export type { LimitQuestion } from './gcra-memory.ts';

export type LimitDecision = {
  isAllowed: boolean;
  /** How many more would be allowed at this instant. */
  remaining: number;
  /** Milliseconds until the burst is whole again (allowed) or until the next request is allowed (refused). */
  resetInMs: number;
  /** Whole seconds to wait before the next request: 0 when this one was allowed, else at least 1. */
  retryAfterS: number;
};

/** Counts requests for all processes together. Durations only: the clock of this host plays no part. */
export type GcraLimiter = {
  /** Counts one request if it is allowed. Never rejects. `testNowMs` replaces the clock of Redis. */
  take(question: LimitQuestion, testNowMs?: number): Promise<LimitDecision>;
  /** Gives a key its whole quota back. */
  forget(key: string): Promise<void>;
};

/** After a failure, requests are counted here for so long before Redis is asked again. */
const skipRedisMs = 1_000;

/**
 * One script call for the requests of one turn. While Redis is away, or slower than the client's `commandTimeout`, each
 * process counts for itself: a caller then has one quota per process, and no request waits or fails.
 */
export function createGcraLimiter(options: {
  /** Made for the role `api`: it fails within 50 ms. */
  redis: Redis;
  /** What all keys in Redis begin with. */
  prefix: string;
  log: Log;
  /** For the metric: one request was counted in this process alone. */
  onFallback?: () => void;
}): GcraLimiter {
  const { redis, prefix, log, onFallback } = options;
  const ask = createGcraRedis(redis, prefix);
  const memory = createGcraMemory();
  let skipUntilMs = 0;
  let isAway = false;

  function takeHere(question: LimitQuestion, testNowMs?: number): GcraReply {
    onFallback?.();
    return memory.take(question, Math.round((testNowMs ?? performance.now()) * 1000));
  }

  async function takeAnywhere(question: LimitQuestion, testNowMs?: number): Promise<GcraReply> {
    if (performance.now() < skipUntilMs) return takeHere(question, testNowMs);
    try {
      const reply = await ask(question, testNowMs);
      if (isAway) log.info('rate limits are counted in redis again');
      isAway = false;
      return reply;
    } catch (error) {
      skipUntilMs = performance.now() + skipRedisMs;
      if (!isAway) log.warn({ cause: String(error) }, 'rate limits are counted in this process alone');
      isAway = true;
      return takeHere(question, testNowMs);
    }
  }

  return {
    async take(question, testNowMs) {
      const [accepted, remaining, waitUs] = await takeAnywhere(question, testNowMs);
      const isAllowed = accepted === 1;
      const retryAfterS = isAllowed ? 0 : Math.max(1, Math.ceil(waitUs / 1_000_000));
      return { isAllowed, remaining, resetInMs: Math.ceil(waitUs / 1000), retryAfterS };
    },
    async forget(key) {
      memory.forget(key);
      await redis.del(`${prefix}:${key}`).catch(() => {});
    },
  };
}
