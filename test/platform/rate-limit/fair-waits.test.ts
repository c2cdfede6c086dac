// Level: push
import { randomUUID } from 'node:crypto';
import { createLog } from '#common/platform/process/log.ts';
import { createGcraLimiter, type GcraLimiter } from '#common/platform/rate-limit/gcra-limiter.ts';
import { createRedis } from '#common/platform/redis/redis.ts';
import { afterAll, describe, expect, guardMs, test } from '#test/support/jest.ts';
import { redisUrl } from '#test/support/servers/redis-url.ts';

const log = createLog('test', 'silent');
const startMs = Date.parse('2026-03-01T12:00:00Z');
/** Quotas per minute: of reads, of writes, and small ones that an operator may give a key. */
const quotas = [120, 60, 12, 8, 7, 6, 5, 4, 3, 2, 1];
/** Four callers cannot share fewer requests. */
const leastShared = 4;
const burst = 30;
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

  /**
   * Four callers send one request after the other. Returns how many of each are accepted in spans of time after the first:
   * spans of a minute, or with fewer than four requests a minute, of as many minutes as twenty requests take.
   */
  async function acceptedOf(limit: number, processes: GcraLimiter[], thinkMs: number) {
    const spanMs = limit < leastShared ? (20 / limit) * 60_000 : 60_000;
    const key = randomUUID();
    const callers = Array.from({ length: 4 }, (_, n) => ({ n, atMs: startMs + n * 230, accepted: [0, 0, 0, 0] }));
    for (;;) {
      // Of callers that come at the same instant, the first always wins.
      const caller = callers.reduce((first, each) => (each.atMs < first.atMs ? each : first));
      const span = Math.floor((caller.atMs - startMs) / spanMs);
      if (span === 4) return [1, 2, 3].map((at) => callers.map(({ accepted }) => accepted[at] ?? 0));
      const limiter = processes[caller.n % processes.length];
      const decision = await limiter?.take({ key, limit, burst }, caller.atMs);
      if (decision?.isAllowed) caller.accepted[span] = (caller.accepted[span] ?? 0) + 1;
      caller.atMs += decision?.isAllowed ? thinkMs : (decision?.retryAfterS ?? 0) * 1_000;
    }
  }

  describe.each(places)('counted %s', (_where, open) => {
    test.each(quotas)('four share %s requests a minute within a factor of two, and use them', async (limit) => {
      const processes = open();
      for (const thinkMs of thinkTimesMs) {
        const spans = await acceptedOf(limit, processes, thinkMs);
        for (const accepted of spans) expect(2 * Math.min(...accepted)).toBeGreaterThanOrEqual(Math.max(...accepted));
        const total = spans.flat().reduce((sum, each) => sum + each, 0);
        // Whole seconds cost a little.
        expect(total / (limit < leastShared ? 20 : limit) / spans.length).toBeGreaterThan(0.98);
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
