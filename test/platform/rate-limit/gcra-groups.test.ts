// Level: push
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { createLog } from '#common/platform/process/log.ts';
import { createGcraLimiter, type GcraLimiter, type LimitCheck } from '#common/platform/rate-limit/gcra-limiter.ts';
import { createRedis } from '#common/platform/redis/redis.ts';
import { afterAll, describe, expect, guardMs, test } from '#test/support/jest.ts';
import { redisUrl } from '#test/support/servers/redis-url.ts';

const log = createLog('test', 'silent');
const startMs = Date.parse('2026-03-01T12:00:00Z');
const narrow = { limit: 2, burst: 2 };
const wide = { limit: 5, burst: 5 };

describe('several limits of one request', () => {
  // The role without a time limit: on a busy machine, the first limiter must not fall back to counting locally.
  const redis = createRedis({ url: redisUrl() }, 'worker', log);
  const unreachable = createRedis({ url: 'redis://127.0.0.1:1' }, 'limiter', log);
  afterAll(() => {
    for (const each of [redis, unreachable]) each.disconnect();
  });
  const prefix = `test-${randomUUID()}`;
  const onFallback = () => {
    throw new Error('redis did not count');
  };
  const shared = createGcraLimiter({ redis, prefix, log, timeoutMs: guardMs, onFallback });
  const local = createGcraLimiter({ redis: unreachable, prefix, log });
  const places: [string, GcraLimiter][] = [
    ['redis', shared],
    ['this process', local],
  ];

  describe.each(places)('counted in %s', (_where, limiter) => {
    const isAllowed = async (checks: LimitCheck[], nowMs = startMs) => (await limiter.take(checks, nowMs)).isAllowed;

    test('a request that one limit refuses is counted by none of them', async () => {
      const [one, two, both] = [randomUUID(), randomUUID(), randomUUID()];
      const of = (key: string) => [
        { key, ...narrow },
        { key: both, ...wide },
      ];
      for (let n = 0; n < 20; n += 1) expect(await isAllowed(of(one))).toBe(n < 2);
      // 2 of the 5 are used, whatever was refused.
      for (let n = 0; n < 2; n += 1) expect(await isAllowed(of(two))).toBe(true);
      expect(await isAllowed([{ key: both, ...wide }])).toBe(true);
      expect(await isAllowed([{ key: both, ...wide }])).toBe(false);
      const fresh = randomUUID();
      for (let n = 0; n < 5; n += 1) expect(await isAllowed(of(fresh))).toBe(false);
      expect(await limiter.take({ key: fresh, ...narrow, cost: 0 }, startMs)).toMatchObject({ remaining: 2 });
    });

    test('the strictest limit decides: least remaining, or the longest wait', async () => {
      const [own, shared] = [randomUUID(), randomUUID()];
      const ask = [
        { key: own, limit: 60, burst: 30 },
        { key: shared, ...narrow },
      ];
      expect(await limiter.take(ask, startMs)).toMatchObject({ isAllowed: true, remaining: 1 });
      expect(await limiter.take(ask, startMs)).toMatchObject({ isAllowed: true, remaining: 0 });
      const refused = { isAllowed: false, remaining: 0, resetInMs: 60_000, retryAfterS: 60 };
      expect(await limiter.take(ask, startMs)).toEqual(refused);
      expect(await isAllowed(ask, startMs + 59_999)).toBe(false);
      expect(await isAllowed(ask, startMs + 60_000)).toBe(true);
    });

    test('a check of cost 0 counts nothing and answers as a request would be answered', async () => {
      const key = randomUUID();
      const look = () => limiter.take({ key, ...narrow, cost: 0 }, startMs);
      for (let n = 0; n < 10; n += 1) expect(await look()).toMatchObject({ isAllowed: true, remaining: 2 });
      for (let n = 0; n < 2; n += 1) await limiter.take({ key, ...narrow }, startMs);
      expect(await look()).toEqual(await limiter.take({ key, ...narrow }, startMs));
      expect((await look()).isAllowed).toBe(false);
    });

    test('a refunded request does not count', async () => {
      const [key, other] = [randomUUID(), randomUUID()];
      for (let n = 0; n < 50; n += 1) {
        expect(await isAllowed([{ key, ...narrow }])).toBe(true);
        await limiter.refund({ key, ...narrow });
      }
      expect(await limiter.take({ key, ...narrow, cost: 0 }, startMs)).toMatchObject({ remaining: 2 });
      // More refunds than requests.
      for (let n = 0; n < 3; n += 1) await limiter.refund({ key: other, ...narrow });
      for (let n = 0; n < 3; n += 1) expect(await isAllowed([{ key: other, ...narrow }])).toBe(n < 2);
    });
  });

  test.each(places)(
    'a request passes exactly when each limit would allow it, counted in %s',
    async (_where, limiter) => {
      const quota = fc.record({ limit: fc.integer({ min: 1, max: 9 }), burst: fc.integer({ min: 1, max: 9 }) });
      const step = fc.record({
        afterMs: fc.constantFrom(0, 1, 500, 7_000, 60_000),
        costs: fc.array(fc.constantFrom(0 as const, 1 as const, null), { minLength: 3, maxLength: 3 }),
        isRefund: fc.boolean(),
      });
      await fc.assert(
        fc.asyncProperty(fc.tuple(quota, quota, quota), fc.array(step, { maxLength: 60 }), async (quotas, steps) => {
          const keys = quotas.map(() => randomUUID());
          let nowMs = startMs;
          for (const { afterMs, costs, isRefund } of steps) {
            nowMs += afterMs;
            const checks = quotas.flatMap((each, n): LimitCheck[] => {
              const cost = costs[n] ?? null;
              return cost === null ? [] : [{ key: keys[n] ?? '', ...each, cost }];
            });
            if (checks.length === 0) continue;
            const alone = await Promise.all(checks.map((check) => limiter.take({ ...check, cost: 0 }, nowMs)));
            const isAllowed = alone.every((each) => each.isAllowed);
            expect((await limiter.take(checks, nowMs)).isAllowed).toBe(isAllowed);
            if (!isAllowed || !isRefund) continue;
            for (const check of checks) if (check.cost === 1) await limiter.refund(check);
          }
        }),
        { numRuns: 40 },
      );
    },
  );
});
