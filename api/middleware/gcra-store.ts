import type { ClientRateLimitInfo, Store } from 'express-rate-limit';
import type { GcraLimiter } from '../../common/platform/gcra-limiter.ts';

/** The key under which express-rate-limit counts: who, and how many a minute he may. */
export function storeKey(id: string, limit: number): string {
  return `${id}@${limit}`;
}

/** Lets express-rate-limit count with our limiter, so that its headers and ours are one. */
export class GcraStore implements Store {
  /** Counted for all processes together. */
  readonly localKeys = false;
  readonly prefix: string;
  readonly #limiter: GcraLimiter;
  readonly #burst: number;

  constructor(options: { limiter: GcraLimiter; prefix: string; burst: number }) {
    this.#limiter = options.limiter;
    this.prefix = options.prefix;
    this.#burst = options.burst;
  }

  /** Accepted: the hits that leave what remains. Refused: one above the limit, until the next one is allowed. */
  async increment(key: string): Promise<ClientRateLimitInfo> {
    const limit = Number(key.slice(key.lastIndexOf('@') + 1));
    const taken = await this.#limiter.take({ key: this.prefix + key, limit, burst: this.#burst });
    const totalHits = taken.isAllowed ? limit - taken.remaining : limit + 1;

    return { totalHits, resetTime: new Date(Date.now() + taken.resetInMs) };
  }

  /** An accepted request stays counted. */
  decrement(): void {}

  resetKey(key: string): Promise<void> {
    return this.#limiter.forget(this.prefix + key);
  }
}
