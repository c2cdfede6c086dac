import { randomUUID } from 'node:crypto';
import { createLog, type Log } from '#common/platform/process/log.ts';
import { createGcraLimiter, type GcraLimiter, type LimitDecision } from '#common/platform/rate-limit/gcra-limiter.ts';
import { areQueuesReachable, createHints, redisTimeoutMs } from '#common/platform/redis/queues.ts';
import { createRedis, type Redis } from '#common/platform/redis/redis.ts';
import { afterAll, beforeAll, beforeEach, describe, eventually, expect, test } from '../support/jest.ts';
import { watchPauses } from '../support/races/watch-pauses.ts';
import { type FaultProxy, type ProxyMode, startFaultProxy } from '../support/servers/fault-proxy.ts';
import { redisUrl } from '../support/servers/redis-url.ts';

const quota = { limit: 60, burst: 30 };

/** A log that collects its warnings. */
function listeningLog(): { log: Log; warnings: string[] } {
  const warnings: string[] = [];
  const log = createLog('test', 'silent');
  log.warn = ((...args: unknown[]) => void warnings.push(String(args.at(-1)))) as Log['warn'];
  return { log, warnings };
}

type Asked = { decisions: LimitDecision[]; waitsMs: number[]; longestPauseMs: number };

describe('a redis that becomes unreachable', () => {
  let proxy: FaultProxy;
  let redis: Redis;
  let limiter: GcraLimiter;
  let fallbacks = 0;
  const onFallback = () => {
    fallbacks += 1;
  };
  const { log, warnings } = listeningLog();
  const prefix = `test-${randomUUID()}`;

  beforeAll(async () => {
    proxy = await startFaultProxy(redisUrl());
    redis = createRedis({ url: proxy.url }, 'api', log);
    limiter = createGcraLimiter({ redis, prefix, log, onFallback });
  });
  /** Waits until the limiter counts in redis, and counts fallbacks and warnings from then on. */
  async function untilShared(): Promise<void> {
    await eventually(async () => {
      fallbacks = 0;
      await limiter.take({ key: randomUUID(), ...quota });
      expect([redis.status, fallbacks]).toEqual(['ready', 0]);
    });
    warnings.length = 0;
  }
  beforeEach(async () => {
    proxy.set('pass');
    await untilShared();
  });
  afterAll(async () => {
    redis.disconnect();
    await proxy.close();
  });

  /** Ten callers that send requests in sequence for `durationMs`. */
  async function ask(durationMs: number, key: string): Promise<Asked> {
    const [decisions, waitsMs]: [LimitDecision[], number[]] = [[], []];
    const endMs = performance.now() + durationMs;
    const pauses = watchPauses();
    const caller = async () => {
      while (performance.now() < endMs) {
        const startMs = performance.now();
        decisions.push(await limiter.take({ key, ...quota }));
        waitsMs.push(performance.now() - startMs);
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    };
    await Promise.all(Array.from({ length: 10 }, caller)).finally(pauses.stop);
    return { decisions, waitsMs: waitsMs.sort((a, b) => a - b), longestPauseMs: pauses.stop() };
  }

  test.each(['refuse', 'freeze'] as ProxyMode[])(
    'when redis starts to %s, no request fails or waits, and each process still limits',
    async (mode) => {
      const loseRedis = async () => {
        proxy.set('pass');
        await untilShared();
        const calm = await ask(500, randomUUID());
        // On a busy machine, redis may have been too slow for one of these requests.
        await untilShared();
        const startMs = performance.now();
        const asking = ask(1_500, randomUUID());
        await new Promise((resolve) => setTimeout(resolve, 100));
        proxy.set(mode);
        return { calm, startMs, ...(await asking) };
      };
      let lost = await loseRedis();
      // A pause of this process is also one of the requests that wait.
      for (let round = 1; round < 5 && lost.longestPauseMs > 200; round += 1) lost = await loseRedis();
      const { calm, startMs, decisions, waitsMs } = lost;

      expect(fallbacks).toBeGreaterThan(0);
      const accepted = decisions.filter(({ isAllowed }) => isAllowed).length;
      // One quota counted in redis and one in this process: at least the first, at most both.
      expect(accepted).toBeGreaterThanOrEqual(30);
      expect(accepted).toBeLessThanOrEqual(64);
      // A request waits 50 ms for redis only once a second. Nearly all are as fast as without the outage.
      const near = (sorted: number[]) => sorted[Math.floor(sorted.length * 0.9)] ?? 0;
      expect(near(waitsMs)).toBeLessThan(Math.max(30, 4 * near(calm.waitsMs)));
      expect(waitsMs.at(-1)).toBeLessThan(Math.max(250, 50 + 4 * (calm.waitsMs.at(-1) ?? 0)));
      // On a busy machine redis can be too slow for one request before the fault, and recover: once a second at most.
      const told = warnings.filter((text) => text.includes('counted per process'));
      expect(told.length).toBeGreaterThanOrEqual(1);
      expect(told.length).toBeLessThanOrEqual(1 + (performance.now() - startMs) / 1_000);
    },
  );

  test('a redis that keeps its connections and does not answer counts as down in time', async () => {
    const bulkRedis = createRedis({ url: proxy.url }, 'bulk', log);
    const hints = createHints({ redis: bulkRedis, prefix, log });
    const isThere = () => areQueuesReachable(hints, redisTimeoutMs);
    await eventually(async () => expect(await isThere()).toBe(true));
    proxy.set('freeze');
    expect([await isThere(), bulkRedis.status]).toEqual([false, 'ready']);
    proxy.set('pass');
    await eventually(async () => expect(await isThere()).toBe(true));
    await hints.close();
    bulkRedis.disconnect();
  });

  test('requests are counted in redis again within three seconds of its return', async () => {
    const key = randomUUID();
    proxy.set('refuse');
    await limiter.take({ key, ...quota });
    proxy.set('pass');
    await eventually(async () => {
      await limiter.take({ key, ...quota });
      expect(await redis.exists(`${prefix}:${key}`)).toBe(1);
    });
  });

  test('clients of an unreachable redis never throw, and log at most one line a second', async () => {
    const { log: quietLog, warnings: lines } = listeningLog();
    const unreachable = createRedis({ url: 'redis://127.0.0.1:1' }, 'api', quietLog);
    const blocking = createRedis({ url: 'redis://127.0.0.1:1' }, 'worker', quietLog);
    try {
      const startMs = performance.now();
      await expect(unreachable.ping()).rejects.toThrow();
      // Long before the connection timeout of 5 s.
      expect(performance.now() - startMs).toBeLessThan(2_500);
      const waiting = blocking.ping().then(
        () => 'answered',
        () => 'ended',
      );
      await eventually(() => expect(lines.length).toBeGreaterThanOrEqual(4));
      const seconds = (performance.now() - startMs) / 1000;
      expect(lines.length).toBeLessThanOrEqual(2 * (seconds + 1));
      expect(await Promise.race([waiting, 'waiting'])).toBe('waiting');
    } finally {
      unreachable.disconnect();
      blocking.disconnect();
    }
  });
});
