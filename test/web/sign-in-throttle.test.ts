import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createGcraLimiter, type GcraLimiter } from '../../common/platform/gcra-limiter.ts';
import { createRedis, type Redis } from '../../common/platform/redis.ts';
import { type SignInResult, signIn } from '../../common/sessions/sign-in.ts';
import { createVisitor } from '../support/visitor.ts';
import { openWebHost, type WebHost, type WebUser } from '../support/web-host.ts';
import { startWorld } from '../support/world.ts';

const attempts = 1_000;

describe('guessing passwords', () => {
  const world = startWorld({ hasTariffs: false });
  let host: WebHost;
  let redis: Redis;
  beforeAll(async () => {
    host = await openWebHost(world);
    redis = createRedis(world.config.redis.url, 'worker', world.log);
  });
  afterAll(async () => {
    redis.disconnect();
    await host.close();
  });

  /** A limiter of its own whose clock stands where the test sets it. */
  function clockedLimiter(): GcraLimiter & { nowMs: number } {
    const prefix = `${world.config.redis.queuePrefix}:${randomUUID()}`;
    const limiter = createGcraLimiter({ redis, prefix, log: world.log });
    const clocked = {
      ...limiter,
      nowMs: 1_000_000,
      take: async (question: Parameters<GcraLimiter['take']>[0]) => await limiter.take(question, clocked.nowMs),
    };
    return clocked;
  }

  async function guess(user: WebUser, limiter: GcraLimiter, from: (index: number) => string): Promise<SignInResult[]> {
    return await Promise.all(
      Array.from({ length: attempts }, (_, index) =>
        signIn({ email: user.email, password: `guess ${index}`, address: from(index), deviceId: null }, limiter),
      ),
    );
  }

  const count = (results: SignInResult[], outcome: SignInResult['outcome']) =>
    results.filter((result) => result.outcome === outcome).length;

  test('given 1,000 wrong passwords from one address, when the owner comes from another, or waits as he is told, then he is let in', async () => {
    const [user, limiter] = [await host.makeUser(), clockedLimiter()];
    const results = await guess(user, limiter, () => '192.0.2.1');
    expect([count(results, 'wrong'), count(results, 'throttled')]).toEqual([10, attempts - 10]);

    const own = { ...user, deviceId: null };
    expect(await signIn({ ...own, address: '192.0.2.2' }, limiter)).toMatchObject({ outcome: 'signed-in' });
    const refused = await signIn({ ...own, address: '192.0.2.1' }, limiter);
    if (refused.outcome !== 'throttled') throw new Error(`he is ${refused.outcome}`);
    expect(refused.retryAfterS).toBeLessThanOrEqual(60);
    limiter.nowMs += refused.retryAfterS * 1_000;
    expect(await signIn({ ...own, address: '192.0.2.1' }, limiter)).toMatchObject({ outcome: 'signed-in' });
  });

  test('given 1,000 wrong passwords from as many addresses, when the owner uses a known browser, or waits as he is told, then he is let in', async () => {
    const [user, limiter] = [await host.makeUser(), clockedLimiter()];
    const results = await guess(user, limiter, (index) => `address ${index}`);
    expect([count(results, 'wrong'), count(results, 'throttled')]).toEqual([60, attempts - 60]);

    expect(await signIn({ ...user, address: 'address 1', deviceId: 'known' }, limiter)).toMatchObject({
      outcome: 'signed-in',
    });
    const refused = await signIn({ ...user, address: 'new', deviceId: null }, limiter);
    if (refused.outcome !== 'throttled') throw new Error(`he is ${refused.outcome}`);
    limiter.nowMs += refused.retryAfterS * 1_000;
    expect(await signIn({ ...user, address: 'new', deviceId: null }, limiter)).toMatchObject({ outcome: 'signed-in' });
  });

  test('given one password tried on many accounts from one address, when it goes on, then the address is throttled, also if one of them is its own', async () => {
    const [own, limiter] = [await host.makeUser(), clockedLimiter()];
    const outcomes: string[] = [];
    for (let index = 0; index < 110; index += 1) {
      const mine = index % 10 === 0;
      const attempt = mine ? own : { email: `${index}@example.com`, password: 'Summer2026!!' };
      outcomes.push((await signIn({ ...attempt, address: '192.0.2.9', deviceId: null }, limiter)).outcome);
    }
    expect(outcomes.slice(0, 100)).not.toContain('throttled');
    expect(outcomes.slice(100)).toEqual(Array.from({ length: 10 }, () => 'throttled'));
  });

  test('given a form that is sent too often, when it is refused, then 429 with Retry-After and one alert, for unknown accounts alike', async () => {
    for (const email of [(await host.makeUser()).email, `${randomUUID()}@example.com`]) {
      const visitor = host.visitor();
      const statuses: number[] = [];
      for (let index = 0; index < 10; index += 1) {
        statuses.push((await visitor.signIn({ email, password: `guess ${index}` })).status);
      }
      expect(statuses).toEqual(Array.from({ length: 10 }, () => 400));
      const refused = await visitor.signIn({ email, password: 'guess' });
      expect(refused.status).toBe(429);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
      expect(refused.text.match(/role="alert"/g)).toHaveLength(1);
    }
  });

  test('given a browser that has signed in before, when its address is shut out, then it knows its own account, and that alone', async () => {
    const [user, other] = [await host.makeUser(), await host.makeUser()];
    const own = host.visitor();
    await own.signIn(user);
    const device = [...own.cookies].filter(([name]) => name === 'bluejay-devices');
    expect(device).toHaveLength(1);
    const stranger = host.visitor();
    for (const { email } of [user, other]) {
      for (let index = 0; index < 11; index += 1) await stranger.signIn({ email, password: `guess ${index}` });
    }
    expect((await stranger.signIn(user)).status).toBe(429);
    expect((await createVisitor(host.url, new Map(device)).signIn(user)).status).toBe(303);
    expect((await createVisitor(host.url, new Map(device)).signIn(other)).status).toBe(429);
    const forged = device.map(
      ([name, value]) => [name, value.replace(/^./, (letter) => (letter === 'A' ? 'B' : 'A'))] as const,
    );
    expect((await createVisitor(host.url, new Map(forged)).signIn(user)).status).toBe(429);
  });
});
