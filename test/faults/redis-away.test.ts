import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createGcraLimiter, type GcraLimiter, type LimitDecision } from '../../common/platform/gcra-limiter.ts';
import { createLog, type Log } from '../../common/platform/log.ts';
import { createRedis, type Redis } from '../../common/platform/redis.ts';
import { eventually } from '../support/eventually.ts';
import { type FaultProxy, type ProxyMode, startFaultProxy } from '../support/fault-proxy.ts';
import { redisUrl } from '../support/redis-url.ts';

const quota = { limit: 60, burst: 30 };

/** A log that remembers its warnings. */
function listeningLog(): { log: Log; warnings: string[] } {
  const warnings: string[] = [];
  const log = createLog('test', 'silent');
  log.warn = ((...args: unknown[]) => void warnings.push(String(args.at(-1)))) as Log['warn'];
  return { log, warnings };
}

describe('a redis that goes away', () => {
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
    redis = createRedis(proxy.url, 'api', log);
    limiter = createGcraLimiter({ redis, prefix, log, onFallback });
  });
  beforeEach(async () => {
    proxy.set('pass');
    await eventually(
      async () => {
        fallbacks = 0;
        await limiter.take({ key: randomUUID(), ...quota });
        expect([redis.status, fallbacks]).toEqual(['ready', 0]);
      },
      { withinMs: 10_000 },
    );
  });
  afterAll(async () => {
    redis.disconnect();
    await proxy.close();
  });

  /** Ten callers that ask for `durationMs`, one request after the other. */
  async function ask(durationMs: number, key: string): Promise<{ decisions: LimitDecision[]; waitsMs: number[] }> {
    const [decisions, waitsMs]: [LimitDecision[], number[]] = [[], []];
    const endMs = performance.now() + durationMs;
    const caller = async () => {
      while (performance.now() < endMs) {
        const startMs = performance.now();
        decisions.push(await limiter.take({ key, ...quota }));
        waitsMs.push(performance.now() - startMs);
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    };
    await Promise.all(Array.from({ length: 10 }, caller));
    return { decisions, waitsMs: waitsMs.sort((a, b) => a - b) };
  }

  test.each(['refuse', 'freeze'] as ProxyMode[])(
    'given requests under way, when redis starts to %s, then none fails or waits, and each process still limits',
    async (mode) => {
      // given
      const key = randomUUID();
      const asking = ask(1_500, key);
      await new Promise((resolve) => setTimeout(resolve, 100));
      warnings.length = 0;
      // when
      proxy.set(mode);
      const { decisions, waitsMs } = await asking;
      // then
      expect(fallbacks).toBeGreaterThan(0);
      const accepted = decisions.filter(({ isAllowed }) => isAllowed).length;
      // One quota counted in redis, and one in this process: no more, and no fewer than the first.
      expect(accepted).toBeGreaterThanOrEqual(30);
      expect(accepted).toBeLessThanOrEqual(64);
      // 50 ms until it gives up, and only once a second: nearly all are answered at once.
      expect(waitsMs[Math.floor(waitsMs.length * 0.9)]).toBeLessThan(30);
      expect(waitsMs.at(-1)).toBeLessThan(250);
      expect(warnings.filter((text) => text.includes('this process alone'))).toHaveLength(1);
    },
  );

  test('given a redis that comes back, when requests come, then they are counted there again, within three seconds', async () => {
    const key = randomUUID();
    proxy.set('refuse');
    await limiter.take({ key, ...quota });
    proxy.set('pass');
    await eventually(
      async () => {
        await limiter.take({ key, ...quota });
        expect(await redis.exists(`${prefix}:${key}`)).toBe(1);
      },
      { withinMs: 3_000 },
    );
  });

  test('given a redis that is not there, when clients are made, then nothing throws and the log has a line a second', async () => {
    const { log: quietLog, warnings: lines } = listeningLog();
    const away = createRedis('redis://127.0.0.1:1', 'api', quietLog);
    const patient = createRedis('redis://127.0.0.1:1', 'worker', quietLog);
    try {
      const startMs = performance.now();
      await expect(away.ping()).rejects.toThrow();
      expect(performance.now() - startMs).toBeLessThan(100);
      const waiting = patient.ping().then(
        () => 'answered',
        () => 'ended',
      );
      await eventually(() => expect(lines.length).toBeGreaterThanOrEqual(4), { withinMs: 8_000 });
      const seconds = (performance.now() - startMs) / 1000;
      expect(lines.length).toBeLessThanOrEqual(2 * (seconds + 1));
      expect(await Promise.race([waiting, 'waiting'])).toBe('waiting');
    } finally {
      away.disconnect();
      patient.disconnect();
    }
  });
});
