import { createHash } from 'node:crypto';
import type { Redis } from '../redis/redis.ts';
import { gcraScript } from './gcra.lua.ts';

/** One check of the limiter: a key and its limit. */
export type LimitCheck = {
  /** Identifies what is counted: a credential, an address, a session. */
  key: string;
  /** The most requests within any 60 seconds. */
  limit: number;
  /** The most requests at one instant. */
  burst: number;
  /** 1 (default) counts the request. 0 only checks whether it would be allowed. */
  cost?: 0 | 1;
};

/**
 * `remaining`: further requests allowed now. `waitUs`: microseconds until the burst is full, or until one is allowed.
 * `retryUs`: microseconds until a refused request should come again, after those that were refused before it.
 */
export type GcraReply = readonly [accepted: 0 | 1, remaining: number, waitUs: number, retryUs: number];
type OnLate = (replies: GcraReply[]) => void;

type PendingGroup = {
  checks: readonly LimitCheck[];
  /** Uncounts the newest request of each key instead. */
  isRefund: boolean;
  testNowMs?: number | undefined;
  onLate?: OnLate;
  resolve(replies: GcraReply[]): void;
  reject(error: unknown): void;
};

export type GcraRedis = {
  /**
   * Counts all checks if each allows it, none otherwise. Returns one reply per check. Rejects when Redis is unreachable
   * or late. Replies that come later go to `onLate`.
   */
  take(checks: readonly LimitCheck[], onLate: OnLate, testNowMs?: number): Promise<GcraReply[]>;
  /** Uncounts the newest request of a key. Rejects when Redis is unreachable or late. */
  refund(check: LimitCheck): Promise<void>;
};

const scriptSha = createHash('sha1').update(gcraScript).digest('hex');
/** Redis is blocked while a script runs: this many checks take some 3 ms. */
const maxChecks = 64;

/**
 * Creates the limiter that runs the script in Redis. All checks of one event-loop tick share a call, which costs little
 * more than a single check. A call waits `timeoutMs` for its answer. `testNowMs` replaces the clock of Redis.
 */
export function createGcraRedis(redis: Redis, prefix: string, timeoutMs: number): GcraRedis {
  let pending: PendingGroup[] = [];
  let checkCount = 0;

  async function call(groups: readonly PendingGroup[]): Promise<number[]> {
    const keys = groups.flatMap(({ checks }) => checks.map(({ key }) => `${prefix}:${key}`));
    const values = groups.flatMap(({ checks, isRefund, testNowMs }, group) => {
      const now = testNowMs === undefined ? '' : String(Math.round(testNowMs * 1000));
      return checks.flatMap(({ limit, burst, cost = 1 }) => [group, isRefund ? -1 : cost, limit, burst, now]);
    });
    const replies = redis.evalsha(scriptSha, keys.length, ...keys, ...values).catch((error: Error) => {
      // Redis lost the script by a restart or a flush. EVAL loads it again.
      if (!error.message.startsWith('NOSCRIPT')) throw error;
      return redis.eval(gcraScript, keys.length, ...keys, ...values);
    });
    return (await replies) as number[];
  }

  async function flush(): Promise<void> {
    const groups = pending;
    pending = [];
    checkCount = 0;
    // The batch reached `maxChecks` and was flushed before this `setImmediate`.
    if (groups.length === 0) return;
    let isLate = false;
    const giveUp = () => {
      isLate = true;
      for (const { reject } of groups) reject(new Error('redis answers late'));
    };
    // Node reads sockets between timers and `setImmediate`: an answer that a busy event loop has not read is not late.
    const timer = setTimeout(() => setImmediate(giveUp), timeoutMs);
    try {
      const replies = await call(groups);
      let at = 0;
      for (const { checks, resolve, onLate } of groups) {
        const own = checks.map((_, index) => toReply(replies, at + index));
        if (isLate) onLate?.(own);
        resolve(own);
        at += checks.length;
      }
    } catch (error) {
      for (const { reject } of groups) reject(error);
    } finally {
      clearTimeout(timer);
    }
  }

  function enqueue(group: Omit<PendingGroup, 'resolve' | 'reject'>): Promise<GcraReply[]> {
    const { promise, resolve, reject } = Promise.withResolvers<GcraReply[]>();
    if (pending.length === 0) setImmediate(flush);
    pending.push({ ...group, resolve, reject });
    checkCount += group.checks.length;
    if (checkCount >= maxChecks) void flush();
    return promise;
  }

  return {
    take: (checks, onLate, testNowMs) => enqueue({ checks, isRefund: false, testNowMs, onLate }),
    refund: async (check) => void (await enqueue({ checks: [check], isRefund: true })),
  };
}

function toReply(replies: readonly number[], index: number): GcraReply {
  const [accepted, remaining = 0, waitUs = 0, retryUs = 0] = replies.slice(index * 4, index * 4 + 4);
  return [accepted === 1 ? 1 : 0, remaining, waitUs, retryUs];
}
