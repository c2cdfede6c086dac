// Level: push
import { composeApi } from '#api/compose-api.ts';
import { ApiKey } from '#common/access/api-key.model.ts';
import { createApiKey, revokeApiKey } from '#common/access/api-keys.ts';
import { createKeyAuthenticator } from '#common/access/authenticate-key.ts';
import { plusMs } from '#common/clock.ts';
import { readConfig } from '#common/config/config.ts';
import { createRedis } from '#common/platform/redis/redis.ts';
import { createRevocations } from '#common/platform/redis/revocations.ts';
import { describe, eventually, expect, jest, openOnce, standingClock, test } from '../support/jest.ts';
import { createClient } from '../support/product/customer.ts';
import { startWorld } from '../support/product/world.ts';
import { startFaultProxy } from '../support/servers/fault-proxy.ts';
import { redisUrl } from '../support/servers/redis-url.ts';
import { useStandingTime } from '../support/standing-time.ts';

const path = '/v1/wallet';
/** Revocations whose announcement is lost, as without Redis. */
const unheard = { announce: async () => {} };

describe('the API key', () => {
  const clock = standingClock();
  const world = startWorld({ clock });
  const customer = openOnce(() => world.customer());
  const anonymous = openOnce(async () => createClient(world.url));
  const statusWith = async (headers: Record<string, string>) => (await anonymous.get(path, headers)).status;

  test('a key contains its mode, its ID and a 256-bit secret', async () => {
    const live = await world.customer({ mode: 'live' });
    expect(customer.key).toMatch(/^bjk_test[a-z2-7]+_[a-z2-7]{52}$/);
    expect(live.key).toMatch(/^bjk_live[a-z2-7]+_[a-z2-7]{52}$/);
    const stored = JSON.stringify(await ApiKey.findById(customer.keyId).lean());
    expect(stored).not.toContain(customer.key.split('_')[2]);
  });

  test.each([
    ['Authorization: Bearer', (key: string) => ({ authorization: `Bearer ${key}` })],
    ['authorization: bearer, in lower case', (key: string) => ({ authorization: `bearer ${key}` })],
    ['X-Api-Key', (key: string) => ({ 'x-api-key': key })],
    ['both headers', (key: string) => ({ 'x-api-key': key, authorization: `Bearer ${key}` })],
    ['X-Api-Key beside another scheme', (key: string) => ({ 'x-api-key': key, authorization: 'Basic dTpw' })],
  ])('a valid key is accepted in %s', async (_how, headersOf) => {
    expect(await statusWith(headersOf(customer.key))).toBe(200);
  });

  const flipped = (text: string) => text.slice(0, -1) + (text.endsWith('a') ? 'b' : 'a');
  test.each<[string, (key: string) => Record<string, string>]>([
    ['no key', () => ({})],
    ['an empty header', () => ({ authorization: '' })],
    ['no key after Bearer', () => ({ authorization: 'Bearer ' })],
    ['the key without Bearer', (key) => ({ authorization: key })],
    ['the key as Basic', (key) => ({ authorization: `Basic ${Buffer.from(`${key}:`).toString('base64')}` })],
    ['a wrong secret', (key) => ({ authorization: `Bearer ${flipped(key)}` })],
    ['no secret', (key) => ({ authorization: `Bearer ${key.slice(0, key.lastIndexOf('_'))}` })],
    ['an empty secret', (key) => ({ authorization: `Bearer ${key.slice(0, key.lastIndexOf('_') + 1)}` })],
    ['a cut secret', (key) => ({ 'x-api-key': key.slice(0, -1) })],
    ['a longer secret', (key) => ({ 'x-api-key': `${key}a` })],
    ['an unknown id', (key) => ({ 'x-api-key': key.replace(/^bjk_test.{16}/, `bjk_test${'a'.repeat(16)}`) })],
    ['the other mode in its id', (key) => ({ 'x-api-key': key.replace('bjk_test', 'bjk_live') })],
    ['another prefix', (key) => ({ 'x-api-key': key.replace('bjk_', 'bja_') })],
    ['capitals', (key) => ({ 'x-api-key': key.toUpperCase() })],
    ['two keys', (key) => ({ 'x-api-key': `${key}, ${key}` })],
    ['a wrong Bearer beside a good X-Api-Key', (key) => ({ authorization: 'Bearer bjk_x_y', 'x-api-key': key })],
    ['a good Bearer beside another X-Api-Key', (key) => ({ authorization: `Bearer ${key}`, 'x-api-key': 'bjk_x_y' })],
    ['a very long one', () => ({ 'x-api-key': 'bjk_'.repeat(1_000) })],
    ['an operator of the database', () => ({ 'x-api-key': 'bjk_{"$ne":null}_a' })],
  ])('%s is 401 with a Bearer challenge', async (what, headersOf) => {
    const answer = await anonymous.get(path, headersOf(customer.key));
    expect(answer.status).toBe(401);
    expect(answer.body).toEqual({
      ...{ code: 'UNAUTHORIZED', message: expect.any(String) },
      docsUrl: `${world.config.http.baseUrl}/docs/errors/UNAUTHORIZED`,
    });
    // A key where no key belongs is none (RFC 6750, 3.1).
    const isNone = ['no key', 'an empty header', 'no key after Bearer', 'the key without Bearer', 'the key as Basic'];
    const challenge = isNone.includes(what) ? 'Bearer' : 'Bearer error="invalid_token"';
    expect(answer.headers.get('www-authenticate')).toBe(challenge);
    expect(answer.headers.get('ratelimit')).toBeNull();
  });

  test('a key in the query is refused', async () => {
    for (const name of ['api_key', 'apiKey', 'access_token', 'key']) {
      expect((await anonymous.get(`${path}?${name}=${customer.key}`)).status).toBe(401);
    }
  });

  test('a key revoked before its first use is refused', async () => {
    const { key, keyId } = await world.customer();
    await revokeApiKey(keyId, unheard, clock.now());
    expect(await statusWith({ 'x-api-key': key })).toBe(401);
  });

  test('a known key with a wrong secret is refused', async () => {
    expect(await statusWith({ 'x-api-key': customer.key })).toBe(200);
    expect(await statusWith({ 'x-api-key': flipped(customer.key) })).toBe(401);
    expect(await statusWith({ 'x-api-key': customer.key })).toBe(200);
  });

  test('the last use of a key is recorded at most once a minute', async () => {
    const { key, keyId } = await world.customer();
    const lastUsed = async () => (await ApiKey.findById(keyId).lean())?.lastUsedAt;
    const first = clock.now();
    await statusWith({ 'x-api-key': key });
    expect(await lastUsed()).toEqual(first);
    clock.advance(59_999);
    await statusWith({ 'x-api-key': key });
    expect(await lastUsed()).toEqual(first);
    clock.advance(1);
    await statusWith({ 'x-api-key': key });
    expect(await lastUsed()).toEqual(clock.now());
  });

  test('the last use is not written again within a minute of another process writing it', async () => {
    const { key, keyId } = await world.customer();
    await statusWith({ 'x-api-key': key });
    const noted = plusMs(clock.now(), 30_000);
    await ApiKey.updateOne({ _id: keyId }, { lastUsedAt: noted });
    clock.advance(60_000);
    await Promise.all(Array.from({ length: 5 }, () => statusWith({ 'x-api-key': key })));
    expect((await ApiKey.findById(keyId).lean())?.lastUsedAt).toEqual(noted);
  });

  test('a key with its own limits shows them, other keys show the defaults', async () => {
    const { organizationId } = customer;
    const own = { organizationId, mode: 'test', scopes: ['wallet'], readsPerMinute: 7, writesPerMinute: 5 } as const;
    const { key } = await createApiKey(own, clock.now());
    const policy = async (text: string, method: string) =>
      (await anonymous.request(method, '/v1/wallet/test-top-up', { headers: { 'x-api-key': text } })).headers;
    const read = await anonymous.get(path, { 'x-api-key': key });
    expect(read.headers.get('ratelimit-policy')).toMatch(/^"read"; q=7; w=60/);
    expect((await policy(key, 'POST')).get('ratelimit-policy')).toMatch(/^"write"; q=5; w=60/);
    expect((await policy(customer.key, 'POST')).get('ratelimit-policy')).toMatch(/^"write"; q=100000; w=60/);
  });
});

describe('a key revoked in one process', () => {
  const world = startWorld();
  const { run, advance } = useStandingTime();
  /** A second process of the API, which reaches Redis through a proxy. */
  const stage = openOnce(async () => {
    const proxy = await startFaultProxy(redisUrl());
    const config = readConfig({ ...world.environment, REDIS_URL: proxy.url });
    const second = composeApi({ config, clock: world.clock, log: world.log });
    // The timeouts of a worker, so a busy machine does not lose announcements.
    const redis = createRedis({ url: redisUrl() }, 'worker', world.log);
    const prefix = world.config.redis.queuePrefix;
    const revocations = createRevocations({ redis, prefix, log: world.log });
    const listeners = async () => {
      const [, count] = (await redis.pubsub('NUMSUB', `${prefix}:revoked`)) as [string, number];
      return Number(count);
    };
    await eventually(async () => expect(await listeners()).toBe(2));
    const close = async () => {
      await second.close();
      redis.disconnect();
      await proxy.close();
    };
    return { second, proxy, revocations, listeners, close };
  });

  test('all processes refuse a revoked key promptly and keep accepting others', async () => {
    const { second, revocations } = stage;
    const [revoked, kept] = [await world.customer(), await world.customer()];
    for (const { key, http } of [revoked, kept]) {
      expect((await http.get('/v1/wallet')).status).toBe(200);
      expect(await second.authenticateKey(key)).not.toBeNull();
    }
    await revokeApiKey(`bjk_${revoked.keyId}`, revocations, world.clock.now());
    await eventually(async () => {
      expect((await revoked.http.get('/v1/wallet')).status).toBe(401);
      expect(await second.authenticateKey(revoked.key)).toBeNull();
    });
    expect((await kept.http.get('/v1/wallet')).status).toBe(200);
    expect(await second.authenticateKey(kept.key)).not.toBeNull();
  });

  test('a process that reconnects to Redis refuses keys revoked in the meantime', async () => {
    const { second, proxy, revocations, listeners } = stage;
    const { key, keyId } = await world.customer();
    expect(await second.authenticateKey(key)).not.toBeNull();
    proxy.set('refuse');
    await eventually(async () => expect(await listeners()).toBe(1));
    await revokeApiKey(keyId, revocations, world.clock.now());
    // It has not received the announcement and uses its cache.
    expect(await second.authenticateKey(key)).not.toBeNull();
    proxy.set('pass');
    await eventually(async () => expect(await second.authenticateKey(key)).toBeNull());
  });

  // With an authenticator of its own: the time that it reads is also that of the rate limits of a process.
  test('a key whose revocation was not announced is looked up again after 30 s of use', async () => {
    const keys = createKeyAuthenticator(world.clock);
    const { key, keyId } = await world.customer();
    const startMs = performance.now();
    const clock = jest.spyOn(performance, 'now').mockReturnValue(startMs);
    const authenticateAt = async (ms: number) => {
      clock.mockReturnValue(startMs + ms);
      return await keys.authenticate(key);
    };
    try {
      expect(await authenticateAt(0)).not.toBeNull();
      await ApiKey.updateOne({ _id: keyId }, { revokedAt: world.clock.now() });
      for (const ms of [10_000, 20_000, 29_000]) expect(await authenticateAt(ms)).not.toBeNull();
      expect(await authenticateAt(30_001)).toBeNull();
    } finally {
      clock.mockRestore();
    }
  });

  test('a key invalidated during its lookup is not cached', async () => {
    const keys = createKeyAuthenticator(world.clock);
    for (const invalidate of [keys.invalidate, keys.invalidateAll]) {
      const { key, keyId } = await world.customer();
      const lookedUp = keys.authenticate(key);
      invalidate(keyId);
      expect(await lookedUp).not.toBeNull();
      await ApiKey.updateOne({ _id: keyId }, { revokedAt: world.clock.now() });
      expect(await keys.authenticate(key)).toBeNull();
    }
  });

  test('a key can be revoked without Redis after a wait of two seconds', async () => {
    const { keyId } = await world.customer();
    const gone = createRedis({ url: 'redis://127.0.0.1:1' }, 'worker', world.log);
    const unheard = createRevocations({ redis: gone, prefix: 'none', log: world.log });
    const publish = jest.spyOn(gone, 'publish');
    try {
      const revoked = run(() => revokeApiKey(keyId, unheard, world.clock.now()));
      await eventually(() => expect(publish).toHaveBeenCalled());
      await advance(2_000);
      expect((await revoked).revokedAt).not.toBeNull();
    } finally {
      gone.disconnect();
    }
  });
});
