import type { ClientRateLimitInfo, Store } from 'express-rate-limit';
import type { GcraLimiter, LimitCheck } from '#common/platform/rate-limit/gcra-limiter.ts';

/** Serializes the limits of a request as an express-rate-limit key. The headers describe the first limit. */
export function storeKey(questions: readonly [LimitCheck, ...LimitCheck[]]): string {
  return JSON.stringify(questions);
}

/** Lets express-rate-limit count with the GCRA limiter, which supplies the values of its headers. */
export class GcraStore implements Store {
  /** The count is shared by all processes. */
  readonly localKeys = false;
  readonly #limiter: GcraLimiter;

  constructor(limiter: GcraLimiter) {
    this.#limiter = limiter;
  }

  /** If accepted, `totalHits` is the limit minus what remains. If refused, it is one above the limit. */
  async increment(key: string): Promise<ClientRateLimitInfo> {
    const questions = readKey(key);
    const taken = await this.#limiter.take(questions);
    const { limit } = questions[0];
    const totalHits = taken.isAllowed ? limit - taken.remaining : limit + 1;

    return { totalHits, resetTime: new Date(Date.now() + taken.resetInMs) };
  }

  /** Accepted requests stay counted. */
  decrement(): void {}

  async resetKey(key: string): Promise<void> {
    await Promise.all(readKey(key).map((question) => this.#limiter.reset(question.key)));
  }
}

function readKey(key: string): [LimitCheck, ...LimitCheck[]] {
  return JSON.parse(key);
}
