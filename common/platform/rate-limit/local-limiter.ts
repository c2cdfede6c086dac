import { LRUCache } from 'lru-cache';
import type { GcraReply, LimitCheck } from './gcra-redis.ts';

const secondUs = 1_000_000;
const minuteUs = 60 * secondUs;
/** Permits are this much ahead of the minute's quota, because callers come late. */
const latenessUs = 5 * secondUs;
/** Places more than a minute ahead: the number of callers that share the smallest quota. */
const sparePlaces = 8;
/** Beyond this, the least recently used key is dropped. */
const maxKeys = 10_000;

/** The permit that a refused request was promised, and when it was told to come again. */
type Place = { permitUs: number; toldUs: number };

/** What Redis holds of a key too. Times are monotonic, in microseconds. */
type Count = {
  /** The theoretical arrival time of the next request. */
  arrivalUs: number;
  /** The last permit that a refused request was promised. */
  promisedUs: number;
  /** The places of refused requests, in the order of their permits. */
  queue: Place[];
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

  return {
    /** Counts all checks if each allows it, none otherwise. Returns one reply per check. */
    take(checks: readonly LimitCheck[], nowMs: number): GcraReply[] {
      const looks = checks.map((check) => look(counts, check, nowMs));
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

function look(counts: LRUCache<string, Count>, check: LimitCheck, nowMs: number) {
  const { key, limit } = check;
  const burst = Math.min(check.burst, limit);
  const nowUs = Math.round(nowMs * 1_000);
  const intervalUs = Math.ceil(minuteUs / limit);
  let count = counts.get(key);
  // As in Redis. Here only the clock of a test is set back.
  if (!count || count.arrivalUs > nowUs + burst * intervalUs + secondUs)
    count = { arrivalUs: 0, promisedUs: 0, queue: [], accepted: [], closedUntilUs: 0 };
  counts.set(key, count);
  const { accepted } = count;
  const firstRecent = accepted.findIndex((us) => us > nowUs - minuteUs);
  accepted.splice(0, firstRecent === -1 ? accepted.length : firstRecent);

  const startUs = Math.max(count.arrivalUs, nowUs);
  const freeUs = Math.max(startUs - (burst - 1) * intervalUs, nowUs);
  /** When one more request fits the minute after `ahead` others. */
  const fitsUs = (ahead: number) => (accepted.at(ahead - limit) ?? Number.NEGATIVE_INFINITY) + minuteUs;
  const told = count.queue.map(({ toldUs }) => toldUs);
  if (Math.max(count.promisedUs, ...told) <= nowUs) count.queue = [];
  /** The place that this request takes. */
  const due = count.queue.find(({ toldUs }) => toldUs <= nowUs);
  const queuedUs = due?.permitUs ?? (count.queue.length > 0 ? Math.min(...told) : nowUs);
  const openUs = Math.max(freeUs, fitsUs(0), queuedUs, count.closedUntilUs);
  return { check, count, nowUs, intervalUs, startUs, freeUs, fitsUs, due, waitUs: openUs - nowUs };
}
type Look = ReturnType<typeof look>;

function promise({ check: { limit }, count, nowUs, intervalUs, freeUs, fitsUs, due, waitUs }: Look): number {
  const ahead = Math.min(count.queue.length, limit - 1);
  const fitUs = fitsUs(ahead);
  const permitUs = Math.max(freeUs, fitUs - latenessUs, count.promisedUs + intervalUs);
  if (!due && permitUs > nowUs + minuteUs + sparePlaces * intervalUs) return minuteUs;
  const place = due ?? { permitUs, toldUs: 0 };
  const retryUs = Math.max(place.permitUs - nowUs, waitUs, due ? 0 : fitUs - nowUs);
  const wholeUs = Math.min(Math.ceil(retryUs / secondUs) * secondUs, minuteUs);
  place.toldUs = nowUs + wholeUs;
  if (due) return wholeUs;
  count.promisedUs = permitUs;
  count.queue.push(place);
  return wholeUs;
}

function put({ count, nowUs, intervalUs, startUs, due }: Look): void {
  if (due) count.queue.splice(count.queue.indexOf(due), 1);
  count.arrivalUs = startUs + intervalUs;
  count.accepted.push(nowUs);
}

function reply(seen: Look): GcraReply {
  const { check, count, nowUs, intervalUs, due, waitUs } = seen;
  if (waitUs > 0) return [0, 0, waitUs, promise(seen)];
  const usedUs = Math.max(count.arrivalUs, nowUs) - nowUs;
  const free = Math.floor((check.burst * intervalUs - usedUs) / intervalUs);
  const places = due ? count.queue.filter(({ toldUs, permitUs }) => Math.max(toldUs, permitUs) <= nowUs).length : free;
  return [1, Math.min(free, places, check.limit - count.accepted.length), usedUs, 0];
}
