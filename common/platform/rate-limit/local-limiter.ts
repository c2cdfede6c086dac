import { LRUCache } from 'lru-cache';
import type { GcraReply, LimitCheck } from './gcra-redis.ts';

const minuteMs = 60_000;
/** Beyond this, the least recently used key is dropped. */
const maxKeys = 10_000;

/**
 * Creates a limiter in the memory of this process, for use while Redis is unreachable. Two sliding windows per key allow
 * `limit` requests in any minute, and `burst` in the part of a minute in which `limit` would allow as many. A client that
 * has used its burst waits longer than by GCRA. Times are monotonic, in milliseconds.
 */
export function createLocalLimiter() {
  /** Times of each key's requests in the last minute, oldest first. */
  const acceptedByKey = new LRUCache<string, number[]>({ max: maxKeys });

  function look(check: LimitCheck, nowMs: number) {
    const { key, limit } = check;
    const burst = Math.min(check.burst, limit);
    const burstMs = (minuteMs * burst) / limit;
    const accepted = acceptedByKey.get(key) ?? [];
    acceptedByKey.set(key, accepted);
    const firstRecent = accepted.findIndex((ms) => ms > nowMs - minuteMs);
    accepted.splice(0, firstRecent === -1 ? accepted.length : firstRecent);
    const waitFor = (count: number, windowMs: number) => (accepted.at(-count) ?? -windowMs) + windowMs - nowMs;
    const waitMs = Math.max(waitFor(limit, minuteMs), waitFor(burst, burstMs));
    const remaining = () => {
      const inBurst = accepted.length - 1 - accepted.findLastIndex((ms) => ms <= nowMs - burstMs);
      return Math.min(limit - accepted.length, burst - inBurst);
    };
    return { check, accepted, burstMs, waitMs, remaining };
  }

  return {
    /** Counts all checks if each allows it, none otherwise. Returns one reply per check. */
    take(checks: readonly LimitCheck[], nowMs: number): GcraReply[] {
      const looks = checks.map((check) => look(check, nowMs));
      const isAllowed = looks.every(({ waitMs }) => waitMs <= 0);
      return looks.map(({ check, accepted, burstMs, waitMs, remaining }) => {
        if (waitMs > 0) return [0, 0, Math.ceil(waitMs * 1_000)];
        if (isAllowed && check.cost !== 0) accepted.push(nowMs);
        return [1, remaining(), burstMs * 1_000];
      });
    },
    /** Uncounts the newest request of a key. */
    refund: ({ key }: LimitCheck) => void acceptedByKey.get(key)?.pop(),
    reset: (key: string) => void acceptedByKey.delete(key),
  };
}
