import { createHash } from 'node:crypto';
import { gcraScript } from './gcra.lua.ts';
import type { GcraReply, LimitQuestion } from './gcra-memory.ts';
import type { Redis } from './redis.ts';

type Asked = {
  question: LimitQuestion;
  testNowMs: number | undefined;
  resolve(reply: GcraReply): void;
  reject(error: unknown): void;
};

const scriptSha = createHash('sha1').update(gcraScript).digest('hex');
/** Redis does nothing else while a script runs: so many are some 3 ms. */
const maxQuestions = 64;

/**
 * Counts by the script in Redis. What is asked in one turn of the event loop is one call, which for client and Redis
 * alike costs little more than one of its questions. Rejects when Redis is away; `testNowMs` replaces its clock.
 */
export function createGcraRedis(
  redis: Redis,
  prefix: string,
): (question: LimitQuestion, testNowMs?: number) => Promise<GcraReply> {
  let asked: Asked[] = [];

  async function call(group: readonly Asked[]): Promise<number[]> {
    const keys = group.map(({ question }) => `${prefix}:${question.key}`);
    const values = group.flatMap(({ question: { limit, burst }, testNowMs }) => {
      return [limit, burst, testNowMs === undefined ? '' : String(Math.round(testNowMs * 1000))];
    });
    const replies = redis.evalsha(scriptSha, keys.length, ...keys, ...values).catch((error: Error) => {
      // A Redis that was restarted or flushed has forgotten the script; sending it whole makes it remember.
      if (!error.message.startsWith('NOSCRIPT')) throw error;
      return redis.eval(gcraScript, keys.length, ...keys, ...values);
    });
    return (await replies) as number[];
  }

  async function askAll(): Promise<void> {
    const group = asked;
    asked = [];
    // They were many, and have been asked already.
    if (group.length === 0) return;
    try {
      const replies = await call(group);
      for (const [index, { resolve }] of group.entries()) {
        const [accepted, remaining = 0, waitUs = 0] = replies.slice(index * 3, index * 3 + 3);
        resolve([accepted === 1 ? 1 : 0, remaining, waitUs]);
      }
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  }

  return (question, testNowMs) => {
    const { promise, resolve, reject } = Promise.withResolvers<GcraReply>();
    if (asked.length === 0) setImmediate(askAll);
    asked.push({ question, testNowMs, resolve, reject });
    if (asked.length === maxQuestions) void askAll();
    return promise;
  };
}
