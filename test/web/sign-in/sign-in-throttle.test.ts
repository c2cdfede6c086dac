// Level: ci
import { randomUUID } from 'node:crypto';
import { AuditEntry } from '#common/audit/audit.model.ts';
import { isPasswordOf } from '#common/organizations/password.ts';
import { createGcraLimiter, type GcraLimiter } from '#common/platform/rate-limit/gcra-limiter.ts';
import { createRedis, type Redis } from '#common/platform/redis/redis.ts';
import { FailedSignIn } from '#common/sessions/failed-sign-in.model.ts';
import { accountKey } from '#common/sessions/failed-sign-ins.ts';
import { type SignInResult, signIn } from '#common/sessions/sign-in.ts';
import { afterAll, beforeAll, describe, eventually, expect, guardMs, test } from '#test/support/jest.ts';
import { createVisitor, startWebHost, type WebUser } from '#test/support/web/web-host.ts';

const attempts = 1_000;
const at = new Date();
const signedIn = { outcome: 'signed-in' };

describe('guessing passwords', () => {
  const { world, host } = startWebHost({ hasTariffs: false, areLimitsStill: true });
  let redis: Redis;
  beforeAll(async () => {
    redis = createRedis(world.config.redis, 'worker', world.log);
  });
  afterAll(() => redis.disconnect());

  /** Creates a limiter whose clock the test sets. */
  function clockedLimiter(): GcraLimiter & { nowMs: number } {
    const prefix = `${world.config.redis.queuePrefix}:${randomUUID()}`;
    const limiter = createGcraLimiter({ redis, prefix, log: world.log, timeoutMs: guardMs });
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
        signIn({ email: user.email, password: `guess ${index}`, address: from(index), deviceId: null }, limiter, at),
      ),
    );
  }

  const count = (results: SignInResult[], outcome: SignInResult['outcome']) =>
    results.filter((result) => result.outcome === outcome).length;

  test('after 1,000 wrong passwords from one address, owners elsewhere can sign in', async () => {
    const [user, limiter] = [await host.makeUser(), clockedLimiter()];
    const results = await guess(user, limiter, () => '192.0.2.1');
    expect([count(results, 'wrong'), count(results, 'throttled')]).toEqual([10, attempts - 10]);

    const own = { ...user, deviceId: null };
    expect(await signIn({ ...own, address: '192.0.2.2' }, limiter, at)).toMatchObject(signedIn);
    const refused = await signIn({ ...own, address: '192.0.2.1' }, limiter, at);
    if (refused.outcome !== 'throttled') throw new Error(`the sign-in is ${refused.outcome}`);
    expect(refused.retryAfterS).toBeLessThanOrEqual(60);
    limiter.nowMs += refused.retryAfterS * 1_000;
    expect(await signIn({ ...own, address: '192.0.2.1' }, limiter, at)).toMatchObject(signedIn);
  });

  test('after 1,000 wrong passwords from as many addresses, known browsers can sign in', async () => {
    const [user, limiter] = [await host.makeUser(), clockedLimiter()];
    const results = await guess(user, limiter, (index) => `address ${index}`);
    expect([count(results, 'wrong'), count(results, 'throttled')]).toEqual([60, attempts - 60]);

    expect(await signIn({ ...user, address: 'address 1', deviceId: 'known' }, limiter, at)).toMatchObject(signedIn);
    const refused = await signIn({ ...user, address: 'new', deviceId: null }, limiter, at);
    if (refused.outcome !== 'throttled') throw new Error(`the sign-in is ${refused.outcome}`);
    limiter.nowMs += refused.retryAfterS * 1_000;
    expect(await signIn({ ...user, address: 'new', deviceId: null }, limiter, at)).toMatchObject(signedIn);
  });

  test('an address that tries one password on many accounts is throttled', async () => {
    const [own, limiter] = [await host.makeUser(), clockedLimiter()];
    const attempt = (index: number) => {
      const account = index % 10 === 0 ? own : { email: `${index}@example.com`, password: 'Summer2026!!' };
      return signIn({ ...account, address: '192.0.2.9', deviceId: null }, limiter, at);
    };
    const first: SignInResult[] = [];
    // No more at once than may wait of one address.
    for (let from = 0; from < 100; from += 10) {
      first.push(...(await Promise.all(Array.from({ length: 10 }, (_, index) => attempt(from + index)))));
    }
    expect([first.length, count(first, 'throttled')]).toEqual([100, 0]);
    const later = await Promise.all(Array.from({ length: 10 }, (_, index) => attempt(index)));
    expect(count(later, 'throttled')).toBe(10);
  });

  test('an address that guesses at 100 accounts at once is refused, and others still get in', async () => {
    const [user, limiter] = [await host.makeUser(), clockedLimiter()];
    const refusals: { code: string }[] = [];
    const guesses = Array.from({ length: 100 }, (_, index) => {
      const attempt = { email: `${index}@example.com`, password: 'Summer2026!!', address: '192.0.2.9', deviceId: null };
      return signIn(attempt, limiter, at).catch((error) => void refusals.push(error));
    });
    await eventually(() => expect(refusals.length).toBeGreaterThan(0));
    expect(await signIn({ ...user, address: '192.0.2.10', deviceId: null }, limiter, at)).toMatchObject(signedIn);
    await Promise.all(guesses);
    expect(new Set(refusals.map(({ code }) => code))).toEqual(new Set(['RATE_LIMITED']));
  });

  test('wrong passwords that are being checked do not keep the owner out of a known browser', async () => {
    const [user, limiter] = [await host.makeUser(), clockedLimiter()];
    // Work that comes first, so that none of the guesses is answered before all of them wait.
    const earlier = Array.from({ length: 36 }, (_, index) => isPasswordOf(null, 'x', `earlier ${index}`));
    const guesses = Array.from({ length: 60 }, (_, index) => {
      const attempt = { email: user.email, password: 'wrong', address: `address ${index}`, deviceId: null };
      return signIn(attempt, limiter, at);
    });
    const attempts = async () => (await FailedSignIn.findOne({ account: accountKey(user.email) }).lean())?.attempts;
    await eventually(async () => expect(await attempts()).toBe(60));
    const own = { ...user, address: '192.0.2.3', deviceId: 'known' };
    expect(await signIn(own, limiter, at)).toMatchObject(signedIn);
    expect(count(await Promise.all(guesses), 'wrong')).toBe(60);
    await Promise.all(earlier);
  });

  test('a form sent too often gets 429, Retry-After and one alert, for unknown accounts too', async () => {
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

  test('a known browser behind a throttled address can sign in to its own account only', async () => {
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

  test('correct passwords from known browsers are limited per account', async () => {
    const [user, other, limiter] = [await host.makeUser(), await host.makeUser(), clockedLimiter()];
    const from = (deviceId: string, account = user) =>
      signIn({ ...account, address: '192.0.2.3', deviceId }, limiter, at);
    const results: SignInResult[] = [];
    for (let index = 0; index < 70; index += 1) results.push(await from(`browser ${index % 7}`));
    expect([count(results, 'signed-in'), count(results, 'throttled')]).toEqual([60, 10]);
    const entries = { action: 'user.signed-in', subjectId: user.userId } as const;
    expect(await AuditEntry.countDocuments(entries)).toBe(60);
    const refused = await from('browser 0');
    if (refused.outcome !== 'throttled') throw new Error(`the browser is ${refused.outcome}`);
    expect(refused.retryAfterS).toBeLessThanOrEqual(60);
    expect(await from('browser 0', other)).toMatchObject(signedIn);
    limiter.nowMs += refused.retryAfterS * 1_000;
    expect(await from('browser 0')).toMatchObject(signedIn);
  });
});
