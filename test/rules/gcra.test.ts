import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createGcraLimiter, type GcraLimiter, type LimitDecision } from '../../common/platform/gcra-limiter.ts';
import { createGcraMemory } from '../../common/platform/gcra-memory.ts';
import { createLog } from '../../common/platform/log.ts';
import { createRedis, type Redis } from '../../common/platform/redis.ts';
import { redisUrl } from '../support/redis-url.ts';

const log = createLog('test', 'silent');
const read = { limit: 120, burst: 30 };
const write = { limit: 60, burst: 30 };
const startMs = Date.parse('2026-03-01T12:00:00Z');

type Take = (key: string, quota: { limit: number; burst: number }, nowMs: number) => Promise<LimitDecision>;

/** Most of the instants that lie within any 60 s. */
function mostInAMinute(instantsMs: number[]): number {
  return Math.max(0, ...instantsMs.map((from) => instantsMs.filter((at) => at >= from && at < from + 60_000).length));
}

describe('the limiter', () => {
  const open: Redis[] = [];
  const prefix = `test-${randomUUID()}`;
  const newLimiter = async (): Promise<GcraLimiter> => {
    // As patient as a worker: a machine that is busy with other tests must not make this one count by itself.
    const redis = createRedis(redisUrl(), 'worker', log);
    open.push(redis);
    await new Promise((resolve) => redis.once('ready', resolve));
    const onFallback = () => {
      throw new Error('redis did not count');
    };
    return createGcraLimiter({ redis, prefix, log, onFallback });
  };
  let limiter: GcraLimiter;
  beforeAll(async () => {
    limiter = await newLimiter();
  });
  afterAll(() => {
    for (const redis of open) redis.disconnect();
  });

  const memory = createGcraMemory();
  const rules: [string, Take][] = [
    ['redis', (key, quota, nowMs) => limiter.take({ key, ...quota }, nowMs)],
    [
      'this process',
      async (key, quota, nowMs) => {
        const [accepted, remaining, waitUs] = memory.take({ key, ...quota }, nowMs * 1000);
        const retryAfterS = accepted ? 0 : Math.max(1, Math.ceil(waitUs / 1_000_000));
        return { isAllowed: accepted === 1, remaining, resetInMs: Math.ceil(waitUs / 1000), retryAfterS };
      },
    ],
  ];

  describe.each(rules)('counted in %s', (_where, take) => {
    const burstOf = async (key: string, quota: typeof read, nowMs: number, count: number) => {
      const decisions: LimitDecision[] = [];
      for (let n = 0; n < count; n += 1) decisions.push(await take(key, quota, nowMs));
      return decisions;
    };

    test.each([
      ['reads', read, 500, 2],
      ['writes', write, 1_000, 1],
    ])(
      'given %s at one instant, when there are 31, then 30 pass and the last waits a second',
      async (_, quota, intervalMs, perSecond) => {
        const key = randomUUID();
        const decisions = await burstOf(key, quota, startMs, 31);
        expect(decisions.map(({ isAllowed }) => isAllowed)).toEqual([...Array(30).fill(true), false]);
        expect(decisions.map(({ remaining }) => remaining)).toEqual([
          ...Array.from({ length: 30 }, (_, n) => 29 - n),
          0,
        ]);
        expect(decisions[30]).toEqual({ isAllowed: false, remaining: 0, resetInMs: intervalMs, retryAfterS: 1 });
        // A second later, so many more and not one above.
        const later = await burstOf(key, quota, startMs + 1_000, perSecond + 1);
        expect(later.map(({ isAllowed }) => isAllowed)).toEqual([...Array(perSecond).fill(true), false]);
      },
    );

    test('given a client that keeps exactly to its quota, when it does so for ten minutes, then it is never refused', async () => {
      const [reader, writer] = [randomUUID(), randomUUID()];
      for (let n = 0; n < 1_200; n += 1) expect((await take(reader, read, startMs + n * 500)).isAllowed).toBe(true);
      for (let n = 0; n < 600; n += 1) expect((await take(writer, write, startMs + n * 1_000)).isAllowed).toBe(true);
    });

    test('given a greedy client, when it sends 20 a second for three minutes, then no minute has more than the quota', async () => {
      const key = randomUUID();
      const accepted: number[] = [];
      for (let nowMs = startMs; nowMs < startMs + 180_000; nowMs += 50) {
        if ((await take(key, read, nowMs)).isAllowed) accepted.push(nowMs);
      }
      expect(mostInAMinute(accepted)).toBe(120);
      expect(accepted).toHaveLength(360);
    });

    test('given a refusal at any moment, when the client waits as long as it was told, then it passes', async () => {
      let nowMs = startMs;
      const key = randomUUID();
      for (let round = 0; round < 100; round += 1) {
        const decision = await take(key, write, nowMs);
        nowMs += decision.isAllowed ? (round * 37) % 90 : decision.retryAfterS * 1_000;
        if (!decision.isAllowed) expect((await take(key, write, nowMs)).isAllowed).toBe(true);
      }
    });

    test('given a clock that is set back by an hour, when the client goes on, then it is not locked out', async () => {
      const key = randomUUID();
      await burstOf(key, read, startMs, 30);
      const decisions = await burstOf(key, read, startMs - 3_600_000, 31);
      expect(decisions.filter(({ isAllowed }) => isAllowed)).toHaveLength(30);
    });

    test('given a burst above the quota, when all is used at once, then the quota is the end of it for a minute', async () => {
      const key = randomUUID();
      const decisions = await burstOf(key, { limit: 5, burst: 50 }, startMs, 6);
      expect(decisions.map(({ isAllowed }) => isAllowed)).toEqual([true, true, true, true, true, false]);
      expect(decisions[5]?.resetInMs).toBe(60_000);
    });

    test('given a quota that was lowered, when the former one is in use, then requests wait for the new one', async () => {
      const key = randomUUID();
      await burstOf(key, { limit: 20, burst: 20 }, startMs, 15);
      expect((await take(key, { limit: 10, burst: 20 }, startMs + 59_000)).isAllowed).toBe(false);
      expect((await take(key, { limit: 10, burst: 20 }, startMs + 60_000)).isAllowed).toBe(true);
    });
  });

  test('given any arrivals, when they are counted, then no minute has more than the quota and both places agree', async () => {
    const step = fc.oneof(fc.constantFrom(0, 1, 20, 500, 1_000, 60_000), fc.integer({ min: 0, max: 3_000 }));
    const quota = fc.record({ limit: fc.integer({ min: 1, max: 20 }), burst: fc.integer({ min: 1, max: 25 }) });
    const [[, inRedis], [, inMemory]] = rules as [[string, Take], [string, Take]];
    await fc.assert(
      fc.asyncProperty(quota, fc.array(step, { maxLength: 120, size: 'max' }), async (asked, steps) => {
        const key = randomUUID();
        let nowMs = startMs;
        const accepted: number[] = [];
        for (const stepMs of steps) {
          nowMs += stepMs;
          const decision = await inRedis(key, asked, nowMs);
          expect(decision).toEqual(await inMemory(key, asked, nowMs));
          if (decision.isAllowed) accepted.push(nowMs);
        }
        expect(mostInAMinute(accepted)).toBeLessThanOrEqual(asked.limit);
      }),
      { numRuns: 40 },
    );
  });

  test('given two processes, when both count one key at once, then they share its quota, and other keys are untouched', async () => {
    const [key, other] = [randomUUID(), randomUUID()];
    const both = [limiter, await newLimiter()];
    const decisions = await Promise.all(
      Array.from({ length: 60 }, (_, n) => both[n % 2]?.take({ key, ...write }, startMs)),
    );
    expect(decisions.filter((decision) => decision?.isAllowed)).toHaveLength(30);
    expect((await limiter.take({ key: other, ...write }, startMs)).remaining).toBe(29);
  });

  test('given more questions at once than one call takes, when they are answered, then each key has its own quota', async () => {
    const keys = [randomUUID(), randomUUID(), randomUUID()];
    const asked = Array.from({ length: 200 }, (_, n) => ({
      key: keys[n % 3] ?? '',
      limit: 60,
      burst: 10 * ((n % 3) + 1),
    }));
    const decisions = await Promise.all(asked.map((question) => limiter.take(question, startMs)));
    for (const [n, key] of keys.entries()) {
      const own = decisions.filter((_, index) => asked[index]?.key === key);
      const burst = 10 * (n + 1);
      expect(own.filter(({ isAllowed }) => isAllowed).map(({ remaining }) => remaining)).toEqual(
        Array.from({ length: burst }, (_, count) => burst - 1 - count),
      );
      expect(own.slice(burst).every(({ isAllowed }) => !isAllowed)).toBe(true);
    }
  });

  test('given a redis that forgot the script and the counters, when a request comes, then counting begins anew', async () => {
    const key = randomUUID();
    for (let n = 0; n < 31; n += 1) await limiter.take({ key, ...write }, startMs);
    await open[0]?.script('FLUSH');
    await limiter.forget(key);
    expect(await limiter.take({ key, ...write }, startMs)).toMatchObject({ isAllowed: true, remaining: 29 });
  });

  test('given the clock of redis, when a key was used, then it goes away by itself after a minute', async () => {
    const key = randomUUID();
    expect(await limiter.take({ key, ...read })).toMatchObject({ isAllowed: true, remaining: 29, resetInMs: 500 });
    const ttlMs = await open[0]?.pttl(`${prefix}:${key}`);
    expect(ttlMs).toBeGreaterThan(50_000);
    expect(ttlMs).toBeLessThanOrEqual(60_000);
  });
});
