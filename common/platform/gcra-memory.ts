import { LRUCache } from 'lru-cache';

/** What is asked of the limiter. */
export type LimitQuestion = {
  /** Who is counted. */
  key: string;
  /** Requests in any 60 seconds. */
  limit: number;
  /** Of those, at one instant. */
  burst: number;
};

/** Accepted or not, how many more would be accepted now, and microseconds until full or until allowed. */
export type GcraReply = readonly [accepted: 0 | 1, remaining: number, waitUs: number];

export type GcraMemory = { take(question: LimitQuestion, nowUs: number): GcraReply; forget(key: string): void };

type State = { arrivalUs: number; acceptedUs: number[] };

const windowUs = 60_000_000;
/** Whoever was not seen for the longest time is forgotten first. */
const maxKeys = 10_000;

/** The rule of `gcra.lua` in this process's memory, for the time that Redis is away. */
export function createGcraMemory(): GcraMemory {
  const states = new LRUCache<string, State>({ max: maxKeys });

  function take({ key, limit, burst }: LimitQuestion, nowUs: number): GcraReply {
    const intervalUs = Math.ceil(windowUs / limit);
    const state = readState(key, nowUs + burst * intervalUs + 1_000_000);
    const expired = state.acceptedUs.findIndex((instantUs) => instantUs > nowUs - windowUs);
    state.acceptedUs.splice(0, expired === -1 ? state.acceptedUs.length : expired);

    const count = state.acceptedUs.length;
    const startUs = Math.max(state.arrivalUs, nowUs);
    const burstWaitUs = startUs - (burst - 1) * intervalUs - nowUs;
    const windowWaitUs = count >= limit ? (state.acceptedUs[count - limit] ?? 0) + windowUs - nowUs : 0;
    const waitUs = Math.max(burstWaitUs, windowWaitUs);
    if (waitUs > 0) return [0, 0, waitUs];

    state.arrivalUs = startUs + intervalUs;
    state.acceptedUs.push(nowUs);
    const untilFullUs = state.arrivalUs - nowUs;
    return [1, Math.min(Math.floor((burst * intervalUs - untilFullUs) / intervalUs), limit - count - 1), untilFullUs];
  }

  /** The state of a key; a new one when there is none, or when the clock was set back since. */
  function readState(key: string, latestUs: number): State {
    const known = states.get(key);
    if (known && known.arrivalUs <= latestUs) return known;
    const fresh = { arrivalUs: 0, acceptedUs: [] };
    states.set(key, fresh);
    return fresh;
  }

  return { take, forget: (key) => void states.delete(key) };
}
