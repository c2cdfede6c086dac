// Level: push
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { createLog } from '#common/platform/process/log.ts';
import { createGcraLimiter, type GcraLimiter, type LimitDecision } from '#common/platform/rate-limit/gcra-limiter.ts';
import { createRedis, type Redis } from '#common/platform/redis/redis.ts';
import { afterAll, beforeAll, describe, expect, guardMs, test } from '#test/support/jest.ts';
import { redisUrl } from '#test/support/servers/redis-url.ts';

const log = createLog('test', 'silent');
const read = { limit: 120, burst: 30 };
const write = { limit: 60, burst: 30 };
const startMs = Date.parse('2026-03-01T12:00:00Z');

type Take = (key: string, quota: { limit: number; burst: number }, nowMs: number) => Promise<LimitDecision>;

/** Returns the largest number of instants within any 60 s. */
function mostInAMinute(instantsMs: number[]): number {
  return Math.max(0, ...instantsMs.map((from) => instantsMs.filter((at) => at >= from && at < from + 60_000).length));
}

describe('the rate limiter', () => {
  const open: Redis[] = [];
  const prefix = `test-${randomUUID()}`;
  const newLimiter = async (): Promise<GcraLimiter> => {
    // The role without a time limit: on a busy machine, this limiter must not fall back to counting locally.
    const redis = createRedis({ url: redisUrl() }, 'worker', log);
    open.push(redis);
    await new Promise((resolve) => redis.once('ready', resolve));
    const onFallback = () => {
      throw new Error('redis did not count');
    };
    return createGcraLimiter({ redis, prefix, log, timeoutMs: guardMs, onFallback });
  };
  let limiter: GcraLimiter;
  beforeAll(async () => {
    limiter = await newLimiter();
  });
  afterAll(() => {
    for (const redis of [unreachable, ...open]) redis.disconnect();
  });

  const unreachable = createRedis({ url: 'redis://127.0.0.1:1' }, 'limiter', log);
  const local = createGcraLimiter({ redis: unreachable, prefix, log });
  const rules: [string, Take][] = [
    ['redis', (key, quota, nowMs) => limiter.take({ key, ...quota }, nowMs)],
    ['this process', (key, quota, nowMs) => local.take({ key, ...quota }, nowMs)],
  ];

  describe.each(rules)('counted in %s', (_where, take) => {
    const burstOf = async (key: string, quota: typeof read, nowMs: number, count: number) => {
      const decisions: LimitDecision[] = [];
      for (let n = 0; n < count; n += 1) decisions.push(await take(key, quota, nowMs));
      return decisions;
    };

    test.each([
      ['reads', read, 2],
      ['writes', write, 1],
    ] as const)('of 31 %s at one instant 30 pass, and the last waits', async (_, quota, pass) => {
      const key = randomUUID();
      const decisions = await burstOf(key, quota, startMs, 31);
      expect(decisions.map(({ isAllowed }) => isAllowed)).toEqual([...Array(30).fill(true), false]);
      expect(decisions.map(({ remaining }) => remaining)).toEqual([...Array.from({ length: 30 }, (_, n) => 29 - n), 0]);
      const refused = { isAllowed: false, remaining: 0, resetInMs: 1_000, retryAfterS: 1 };
      expect(decisions[30]).toEqual(refused);
      // A second later, exactly that many more pass.
      const later = await burstOf(key, quota, startMs + 1_000, pass + 1);
      expect(later.map(({ isAllowed }) => isAllowed)).toEqual([...Array(pass).fill(true), false]);
      expect((await take(key, quota, startMs + 1_999)).isAllowed).toBe(false);
    });

    test('a client that uses exactly its quota for ten minutes is never refused', async () => {
      const [reader, writer] = [randomUUID(), randomUUID()];
      for (let n = 0; n < 1_200; n += 1) expect((await take(reader, read, startMs + n * 500)).isAllowed).toBe(true);
      for (let n = 0; n < 600; n += 1) expect((await take(writer, write, startMs + n * 1_000)).isAllowed).toBe(true);
    });

    test('a client that sends 20 a second for three minutes never exceeds its quota per minute', async () => {
      const key = randomUUID();
      const accepted: number[] = [];
      for (let nowMs = startMs; nowMs < startMs + 180_000; nowMs += 50) {
        if ((await take(key, read, nowMs)).isAllowed) accepted.push(nowMs);
      }
      expect(mostInAMinute(accepted)).toBe(120);
      expect(accepted).toHaveLength(360);
    });

    test('a refused client that waits for Retry-After passes', async () => {
      let nowMs = startMs;
      const key = randomUUID();
      for (let round = 0; round < 100; round += 1) {
        const decision = await take(key, write, nowMs);
        nowMs += decision.isAllowed ? (round * 37) % 90 : decision.retryAfterS * 1_000;
        if (!decision.isAllowed) expect((await take(key, write, nowMs)).isAllowed).toBe(true);
      }
    });

    test('a burst above the quota is capped by the quota for a minute', async () => {
      const key = randomUUID();
      const decisions = await burstOf(key, { limit: 5, burst: 50 }, startMs, 6);
      expect(decisions.map(({ isAllowed }) => isAllowed)).toEqual([true, true, true, true, true, false]);
      expect(decisions[5]?.resetInMs).toBe(60_000);
    });

    test('a lowered quota applies to requests at once', async () => {
      const key = randomUUID();
      await burstOf(key, { limit: 20, burst: 20 }, startMs, 15);
      expect((await take(key, { limit: 10, burst: 20 }, startMs + 59_000)).isAllowed).toBe(false);
      expect((await take(key, { limit: 10, burst: 20 }, startMs + 60_000)).isAllowed).toBe(true);
    });
  });

  test.each(rules)('no minute exceeds the quota, no instant the burst, counted in %s', async (_where, take) => {
    const step = fc.oneof(fc.constantFrom(0, 1, 20, 500, 1_000, 60_000), fc.integer({ min: 0, max: 3_000 }));
    const quota = fc.record({ limit: fc.integer({ min: 1, max: 20 }), burst: fc.integer({ min: 1, max: 25 }) });
    await fc.assert(
      fc.asyncProperty(quota, fc.array(step, { maxLength: 120, size: 'max' }), async (asked, steps) => {
        const key = randomUUID();
        let nowMs = startMs;
        const accepted: number[] = [];
        for (const stepMs of steps) {
          nowMs += stepMs;
          if ((await take(key, asked, nowMs)).isAllowed) accepted.push(nowMs);
        }
        expect(mostInAMinute(accepted)).toBeLessThanOrEqual(asked.limit);
        const atOnce = accepted.map((ms) => accepted.filter((other) => other === ms).length);
        expect(Math.max(0, ...atOnce)).toBeLessThanOrEqual(asked.burst);
      }),
      { numRuns: 40 },
    );
  });

  // Only redis: the clock of a process counts from its start and is never set back.
  test('a clock set back by an hour locks no client out', async () => {
    const key = randomUUID();
    for (let n = 0; n < 30; n += 1) await limiter.take({ key, ...read }, startMs);
    const decisions: LimitDecision[] = [];
    for (let n = 0; n < 31; n += 1) decisions.push(await limiter.take({ key, ...read }, startMs - 3_600_000));
    expect(decisions.filter(({ isAllowed }) => isAllowed)).toHaveLength(30);
  });

  test('two processes share the quota of a key, and other keys are unaffected', async () => {
    const [key, other] = [randomUUID(), randomUUID()];
    const both = [limiter, await newLimiter()];
    const decisions = await Promise.all(
      Array.from({ length: 60 }, (_, n) => both[n % 2]?.take({ key, ...write }, startMs)),
    );
    expect(decisions.filter((decision) => decision?.isAllowed)).toHaveLength(30);
    expect((await limiter.take({ key: other, ...write }, startMs)).remaining).toBe(29);
  });

  test('more checks than fit one call are all answered, each key with its own quota', async () => {
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

  test('counting restarts after redis lost script and counters', async () => {
    const key = randomUUID();
    for (let n = 0; n < 31; n += 1) await limiter.take({ key, ...write }, startMs);
    await open[0]?.script('FLUSH');
    await limiter.reset(key);
    expect(await limiter.take({ key, ...write }, startMs)).toMatchObject({ isAllowed: true, remaining: 29 });
  });

  test('a used key expires in redis after a minute', async () => {
    const key = randomUUID();
    expect(await limiter.take({ key, ...read })).toMatchObject({ isAllowed: true, remaining: 29, resetInMs: 500 });
    const ttlMs = await open[0]?.pttl(`${prefix}:${key}`);
    expect(ttlMs).toBeGreaterThan(50_000);
    expect(ttlMs).toBeLessThanOrEqual(60_000);
  });
});
