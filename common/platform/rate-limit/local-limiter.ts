import { LRUCache } from 'lru-cache';
import type { GcraReply, LimitCheck } from './gcra-redis.ts';

const secondUs = 1_000_000;
const minuteUs = 60 * secondUs;
/** Beyond this, the least recently used key is dropped. */
const maxKeys = 10_000;

/** What Redis holds of a key too. Times are monotonic, in microseconds. */
type Count = {
  /** The theoretical arrival time of the next request. */
  arrivalUs: number;
  /** The last permit that a refused request was promised. */
  promisedUs: number;
  /** When the refused requests were told to come again, in any order. */
  told: number[];
  /** Times of the requests of the last minute, oldest first. */
  accepted: number[];
  /** No request is allowed before this, by a late answer of Redis. */
  closedUntilUs: number;
};

/**
 * Creates a limiter in the memory of this process, by the algorithm of the script in Redis. It counts each request that
 * this process accepts, so the quota holds here whatever Redis answers. Times are monotonic, in milliseconds.
 */
export function createLocalLimiter() {
  const counts = new LRUCache<string, Count>({ max: maxKeys });

  function look(check: LimitCheck, nowMs: number) {
    const { key, limit, burst } = check;
    const nowUs = Math.round(nowMs * 1_000);
    const intervalUs = Math.ceil(minuteUs / limit);
    let count = counts.get(key);
    // As in Redis. Here only the clock of a test is set back.
    if (!count || count.arrivalUs > nowUs + burst * intervalUs + secondUs)
      count = { arrivalUs: 0, promisedUs: 0, told: [], accepted: [], closedUntilUs: 0 };
    counts.set(key, count);
    const { accepted } = count;
    const firstRecent = accepted.findIndex((us) => us > nowUs - minuteUs);
    accepted.splice(0, firstRecent === -1 ? accepted.length : firstRecent);

    const startUs = Math.max(count.arrivalUs, nowUs);
    const freeUs = Math.max(startUs - (burst - 1) * intervalUs, nowUs);
    /** When one more request fits the minute after `ahead` others. */
    const fitsUs = (ahead: number) => (accepted.at(ahead - limit) ?? Number.NEGATIVE_INFINITY) + minuteUs;
    if (count.told.every((us) => us <= nowUs)) count.told = [];
    const isQueued = count.told.length > 0;
    const openUs = Math.max(freeUs, fitsUs(0), isQueued ? Math.min(...count.told) : nowUs, count.closedUntilUs);
    return { check, count, nowUs, intervalUs, startUs, freeUs, fitsUs, isQueued, waitUs: openUs - nowUs };
  }
  type Look = ReturnType<typeof look>;

  function promise({ check: { limit }, count, nowUs, intervalUs, freeUs, fitsUs, waitUs }: Look): number {
    const permitUs = Math.max(freeUs, count.promisedUs + intervalUs);
    if (permitUs > nowUs + minuteUs) return minuteUs;
    count.promisedUs = permitUs;
    const ahead = Math.min(Math.floor((permitUs - freeUs) / intervalUs), limit - 1);
    const retryUs = Math.max(permitUs - nowUs, fitsUs(ahead) - nowUs, waitUs);
    const wholeUs = Math.ceil(retryUs / secondUs) * secondUs;
    count.told.push(nowUs + wholeUs);
    return wholeUs;
  }

  function put({ count, nowUs, intervalUs, startUs }: Look): void {
    const first = count.told.indexOf(Math.min(...count.told));
    if (first !== -1) count.told.splice(first, 1);
    count.arrivalUs = startUs + intervalUs;
    count.accepted.push(nowUs);
  }

  function reply(seen: Look): GcraReply {
    const { check, count, nowUs, intervalUs, isQueued, waitUs } = seen;
    if (waitUs > 0) return [0, 0, waitUs, promise(seen)];
    const usedUs = Math.max(count.arrivalUs, nowUs) - nowUs;
    const free = Math.floor((check.burst * intervalUs - usedUs) / intervalUs);
    const due = isQueued ? count.told.filter((us) => us <= nowUs).length : free;
    return [1, Math.min(free, due, check.limit - count.accepted.length), usedUs, 0];
  }

  return {
    /** Counts all checks if each allows it, none otherwise. Returns one reply per check. */
    take(checks: readonly LimitCheck[], nowMs: number): GcraReply[] {
      const looks = checks.map((check) => look(check, nowMs));
      const isAllowed = looks.every(({ waitUs }) => waitUs <= 0);
      return looks.map((seen) => {
        if (isAllowed && seen.check.cost !== 0) put(seen);
        return reply(seen);
      });
    },
    /** Applies what Redis answered to `take` at `nowMs`, too late for that request: what all processes have used. */
    learn(checks: readonly LimitCheck[], replies: readonly GcraReply[], nowMs: number): void {
      for (const [index, [accepted, , waitUs]] of replies.entries()) {
        const count = counts.get(checks[index]?.key ?? '');
        if (!count) continue;
        const untilUs = Math.round(nowMs * 1_000) + waitUs;
        if (accepted) count.arrivalUs = Math.max(count.arrivalUs, untilUs);
        else count.closedUntilUs = Math.max(count.closedUntilUs, untilUs);
      }
    },
    /** Uncounts the newest request of a key. */
    refund({ key, limit }: LimitCheck): void {
      const count = counts.get(key);
      if (count?.accepted.pop() !== undefined) count.arrivalUs -= Math.ceil(minuteUs / limit);
    },
    reset: (key: string) => void counts.delete(key),
  };
}
