// Level: push
import { randomUUID } from 'node:crypto';
import { createLog } from '#common/platform/process/log.ts';
import { createGcraLimiter, type GcraLimiter } from '#common/platform/rate-limit/gcra-limiter.ts';
import { createRedis } from '#common/platform/redis/redis.ts';
import { afterAll, describe, expect, guardMs, test } from '#test/support/jest.ts';
import { redisUrl } from '#test/support/servers/redis-url.ts';

const log = createLog('test', 'silent');
const startMs = Date.parse('2026-03-01T12:00:00Z');
const quotas = [
  ['reads', { limit: 120, burst: 30 }],
  ['writes', { limit: 60, burst: 30 }],
] as const;
/** How long a caller takes from an answer to its next request. 500 is as long as a permit of a read takes. */
const thinkTimesMs = [1, 20, 500];

describe('callers that wait for Retry-After', () => {
  const redis = createRedis({ url: redisUrl() }, 'worker', log);
  const unreachable = createRedis({ url: 'redis://127.0.0.1:1' }, 'limiter', log);
  afterAll(() => {
    for (const each of [redis, unreachable]) each.disconnect();
  });
  const prefix = `test-${randomUUID()}`;
  const onFallback = () => {
    throw new Error('redis did not count');
  };
  const shared = () => createGcraLimiter({ redis, prefix, log, timeoutMs: guardMs, onFallback });
  const places: [string, () => GcraLimiter[]][] = [
    ['in redis, by one process', () => [shared()]],
    ['in redis, by two processes', () => [shared(), shared()]],
    ['in this process', () => [createGcraLimiter({ redis: unreachable, prefix, log })]],
  ];

  /** Four callers send one request after the other. Returns how many of each are accepted in the minute after the first. */
  async function acceptedOf(quota: { limit: number; burst: number }, processes: GcraLimiter[], thinkMs: number) {
    const key = randomUUID();
    const callers = Array.from({ length: 4 }, (_, n) => ({ n, atMs: startMs + n * 230, accepted: 0 }));
    for (;;) {
      // Of callers that come at the same instant, the first always wins.
      const caller = callers.reduce((first, each) => (each.atMs < first.atMs ? each : first));
      if (caller.atMs >= startMs + 120_000) return callers.map(({ accepted }) => accepted);
      const limiter = processes[caller.n % processes.length];
      const decision = await limiter?.take({ key, ...quota }, caller.atMs);
      if (decision?.isAllowed && caller.atMs >= startMs + 60_000) caller.accepted += 1;
      caller.atMs += decision?.isAllowed ? thinkMs : (decision?.retryAfterS ?? 0) * 1_000;
    }
  }

  describe.each(places)('counted %s', (_where, open) => {
    test.each(quotas)('four share the quota of %s within a factor of two, and use it', async (_, quota) => {
      const processes = open();
      for (const thinkMs of thinkTimesMs) {
        const accepted = await acceptedOf(quota, processes, thinkMs);
        const total = accepted.reduce((sum, each) => sum + each, 0);
        expect(accepted.filter((each) => 2 * each < Math.max(...accepted))).toEqual([]);
        expect(total).toBe(quota.limit);
      }
    });

    test('each refused request waits one interval longer, at most a minute', async () => {
      const [limiter] = open();
      const quota = { key: randomUUID(), limit: 60, burst: 1 };
      const waits: unknown[] = [];
      for (let n = 0; n < 63; n += 1) waits.push((await limiter?.take(quota, startMs))?.retryAfterS);
      expect(waits).toEqual([0, ...Array.from({ length: 60 }, (_, n) => n + 1), 60, 60]);
      // No refused caller came back: after a minute, the first request passes, and the next is told one second.
      const later = [0, 1].map(async () => (await limiter?.take(quota, startMs + 60_000))?.retryAfterS);
      expect(await Promise.all(later)).toEqual([0, 1]);
    });
  });
});
