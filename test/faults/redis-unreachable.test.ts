// Level: ci
import { randomUUID } from 'node:crypto';
import { createLog, type Log } from '#common/platform/process/log.ts';
import { createGcraLimiter, type GcraLimiter } from '#common/platform/rate-limit/gcra-limiter.ts';
import { areQueuesReachable, createHints, redisTimeoutMs } from '#common/platform/redis/queues.ts';
import { createRedis, type Redis } from '#common/platform/redis/redis.ts';
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  eventually,
  expect,
  guardMs,
  jest,
  test,
} from '../support/jest.ts';
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

describe('a redis that becomes unreachable', () => {
  let proxy: FaultProxy;
  let redis: Redis;
  /** Not through the proxy, and without a time limit. */
  let direct: Redis;
  let limiter: GcraLimiter;
  /** The limiter's clock, which only the test moves. */
  let nowMs = 0;
  let fallbacks = 0;
  const onFallback = () => {
    fallbacks += 1;
  };
  const { log, warnings } = listeningLog();
  const prefix = `test-${randomUUID()}`;

  beforeAll(async () => {
    proxy = await startFaultProxy(redisUrl());
    redis = createRedis({ url: proxy.url }, 'limiter', log);
    direct = createRedis({ url: redisUrl() }, 'worker', log);
    limiter = createGcraLimiter({ redis, prefix, log, onFallback, nowMs: () => nowMs });
  });
  /** Waits until the limiter counts in redis, and counts fallbacks and warnings from then on. */
  async function untilShared(): Promise<void> {
    await eventually(async () => {
      nowMs += 1_000;
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
  afterEach(() => jest.restoreAllMocks());
  afterAll(async () => {
    redis.disconnect();
    direct.disconnect();
    await proxy.close();
  });

  /** Returns how many of 40 requests of ten callers are allowed. */
  async function takeForty(key: string): Promise<number> {
    let allowed = 0;
    const caller = async () => {
      for (let n = 0; n < 4; n += 1) if ((await limiter.take({ key, ...quota })).isAllowed) allowed += 1;
    };
    await Promise.all(Array.from({ length: 10 }, caller));
    return allowed;
  }

  test.each(['refuse', 'freeze'] as ProxyMode[])(
    'when redis starts to %s, requests wait for it once a second, and each process still limits',
    async (mode) => {
      const key = randomUUID();
      const tries = jest.spyOn(redis, 'evalsha');
      proxy.set(mode);
      // The limit of this process is exact: a burst, and then one for each second.
      expect([await takeForty(key), fallbacks, tries.mock.calls.length]).toEqual([quota.burst, 40, 1]);
      nowMs += 999;
      expect([await takeForty(key), fallbacks, tries.mock.calls.length]).toEqual([0, 80, 1]);
      nowMs += 1;
      expect([await takeForty(key), fallbacks, tries.mock.calls.length]).toEqual([1, 120, 2]);
      expect(warnings.filter((text) => text.includes('counted per process'))).toHaveLength(1);
    },
  );

  test('a request waits 50 ms for a redis that hangs, and is answered before redis goes on', async () => {
    expect(redis.options).toMatchObject({ enableOfflineQueue: false, maxRetriesPerRequest: 0 });
    proxy.set('freeze');
    const timers = jest.spyOn(globalThis, 'setTimeout');
    const order: string[] = [];
    void limiter.take({ key: randomUUID(), ...quota }).then(() => order.push('answered'));
    await eventually(() => expect(order).toEqual(['answered']));
    expect(timers).toHaveBeenCalledWith(expect.any(Function), 50);
  });

  describe('the quota of one process', () => {
    const atMs = Date.parse('2026-03-01T12:00:00Z');
    /** Another process, which never gives up waiting. */
    let other: GcraLimiter;
    beforeAll(() => {
      other = createGcraLimiter({ redis: direct, prefix, log, timeoutMs: guardMs });
    });
    const allowedOf = async (key: string, count: number, limiters = [limiter], ms = atMs) => {
      const takes = Array.from({ length: count }, (_, n) => limiters[n % limiters.length]?.take({ key, ...quota }, ms));
      return (await Promise.all(takes)).filter((decision) => decision?.isAllowed).length;
    };

    test('holds when answers of redis are read late', async () => {
      const key = randomUUID();
      expect(await allowedOf(key, 20)).toBe(20);
      const allowed = allowedOf(key, 40);
      // After the requests were sent, for longer than they wait.
      setImmediate(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 120));
      expect(await allowed).toBe(10);
    });

    test.each(['freeze', 'refuse'] as ProxyMode[])(
      'holds when redis starts to %s, and when it is back',
      async (mode) => {
        const key = randomUUID();
        expect(await allowedOf(key, 20)).toBe(20);
        proxy.set(mode);
        expect(await allowedOf(key, 40)).toBe(10);
        proxy.set('pass');
        await untilShared();
        expect([await allowedOf(key, 40), await allowedOf(key, 40, [limiter], atMs + 2_000)]).toEqual([0, 2]);
      },
    );

    test('holds when redis forgets it, minute by minute', async () => {
      const key = randomUUID();
      for (const minute of [0, 1, 2]) {
        let allowed = 0;
        for (let ms = 0; ms < 60_000; ms += 2_500) {
          await direct.del(`${prefix}:${key}`);
          allowed += await allowedOf(key, 10, [other], atMs + minute * 60_000 + ms);
        }
        expect(allowed).toBe(60);
      }
    });

    test('is that of each of two processes while redis hangs, and no more', async () => {
      const second = createGcraLimiter({ redis, prefix, log, nowMs: () => nowMs });
      proxy.set('freeze');
      expect(await allowedOf(randomUUID(), 200, [limiter, second])).toBe(2 * quota.burst);
    });

    test.each([
      ['accepted', 20, { isAllowed: true, remaining: 9 }],
      ['refused', 30, { isAllowed: false, retryAfterS: 1 }],
    ] as const)('a late answer that redis has %s the request is applied when it comes', async (_, used, expected) => {
      const key = randomUUID();
      expect(await allowedOf(key, used, [other])).toBe(used);
      proxy.set('freeze');
      expect(await allowedOf(key, 1)).toBe(1);
      const look = () => limiter.take({ key, ...quota, cost: 0 }, atMs);
      expect(await look()).toMatchObject({ isAllowed: true, remaining: 29 });
      proxy.set('pass');
      await eventually(async () => expect(await look()).toMatchObject(expected));
    });
  });

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

  test('requests are counted in redis again a second after the failure', async () => {
    const key = randomUUID();
    proxy.set('refuse');
    await limiter.take({ key, ...quota });
    proxy.set('pass');
    await eventually(() => expect(redis.status).toBe('ready'));
    nowMs += 999;
    await limiter.take({ key, ...quota });
    expect([fallbacks, await direct.exists(`${prefix}:${key}`)]).toEqual([2, 0]);
    await eventually(async () => {
      nowMs += 1;
      await limiter.take({ key, ...quota });
      nowMs += 999;
      expect(await direct.exists(`${prefix}:${key}`)).toBe(1);
    });
  });

  test('clients of an unreachable redis never throw, and log at most one line a second', async () => {
    const { log: quietLog, warnings: lines } = listeningLog();
    const unreachable = createRedis({ url: 'redis://127.0.0.1:1' }, 'api', quietLog);
    const blocking = createRedis({ url: 'redis://127.0.0.1:1' }, 'worker', quietLog);
    try {
      const startMs = performance.now();
      await expect(unreachable.ping()).rejects.toThrow();
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
