import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openServices } from '../../api/open-services.ts';
import { ApiKey } from '../../common/access/api-key.model.ts';
import { revokeApiKey } from '../../common/access/api-keys.ts';
import { createKeyAuthenticator } from '../../common/access/authenticate-key.ts';
import { readConfig } from '../../common/config.ts';
import { createRedis, type Redis } from '../../common/platform/redis.ts';
import { createRevocations, type Revocations } from '../../common/platform/revocations.ts';
import { eventually } from '../support/eventually.ts';
import { type FaultProxy, startFaultProxy } from '../support/fault-proxy.ts';
import { redisUrl } from '../support/redis-url.ts';
import { startWorld } from '../support/world.ts';

/** Well below the half minute for which a key is remembered without being told. */
const atOnce = { withinMs: 3_000 };

describe('a key revoked in one process', () => {
  const world = startWorld();
  /** A second process of the API, which reaches Redis through a proxy. */
  let second: ReturnType<typeof openServices>;
  let proxy: FaultProxy;
  /** Who revokes. */
  let redis: Redis;
  let revocations: Revocations;

  beforeAll(async () => {
    proxy = await startFaultProxy(redisUrl());
    second = openServices(readConfig({ ...world.environment, REDIS_URL: proxy.url }), world.clock, world.log);
    // As patient as the administration: a busy machine must not lose what is announced here.
    redis = createRedis(redisUrl(), 'worker', world.log);
    revocations = createRevocations({ redis, prefix: world.config.redis.queuePrefix, log: world.log });
    await eventually(async () => expect(await listeners()).toBe(2), { withinMs: 10_000 });
  });
  afterAll(async () => {
    await second.close();
    redis.disconnect();
    await proxy.close();
  });
  const listeners = async () => {
    const [, count] = (await redis.pubsub('NUMSUB', `${world.config.redis.queuePrefix}:revoked`)) as [string, number];
    return Number(count);
  };

  test('given a key that two processes know, when it is revoked, then both refuse it within a second, and no other', async () => {
    const [revoked, kept] = [await world.customer(), await world.customer()];
    for (const { key, http } of [revoked, kept]) {
      expect((await http.get('/v1/wallet')).status).toBe(200);
      expect(await second.authenticateKey(key)).not.toBeNull();
    }
    await revokeApiKey(`bjk_${revoked.keyId}`, revocations, world.clock.now());
    await eventually(async () => {
      expect((await revoked.http.get('/v1/wallet')).status).toBe(401);
      expect(await second.authenticateKey(revoked.key)).toBeNull();
    }, atOnce);
    expect((await kept.http.get('/v1/wallet')).status).toBe(200);
    expect(await second.authenticateKey(kept.key)).not.toBeNull();
  });

  test('given a process that lost Redis for a while, when it is back, then what was revoked meanwhile is refused', async () => {
    const { key, keyId } = await world.customer();
    expect(await second.authenticateKey(key)).not.toBeNull();
    proxy.set('refuse');
    await eventually(async () => expect(await listeners()).toBe(1), { withinMs: 10_000 });
    await revokeApiKey(keyId, revocations, world.clock.now());
    // It has heard of nothing yet, and goes by what it remembers.
    expect(await second.authenticateKey(key)).not.toBeNull();
    proxy.set('pass');
    await eventually(async () => expect(await second.authenticateKey(key)).toBeNull(), { withinMs: 10_000 });
  });

  test('given a key that is being looked up, when it is forgotten meanwhile, then it is asked for again the next time', async () => {
    const keys = createKeyAuthenticator(world.clock);
    for (const forget of [keys.forget, keys.forgetAll]) {
      const { key, keyId } = await world.customer();
      const lookedUp = keys.authenticate(key);
      forget(keyId);
      expect(await lookedUp).not.toBeNull();
      await ApiKey.updateOne({ _id: keyId }, { revokedAt: world.clock.now() });
      expect(await keys.authenticate(key)).toBeNull();
    }
  });

  test('given no Redis, when a key is revoked, then that is done all the same, without waiting for long', async () => {
    const { keyId } = await world.customer();
    const gone = createRedis('redis://127.0.0.1:1', 'api', world.log);
    const unheard = createRevocations({ redis: gone, prefix: 'none', log: world.log });
    const startedMs = performance.now();
    const { revokedAt } = await revokeApiKey(keyId, unheard, world.clock.now());
    gone.disconnect();
    expect(revokedAt).not.toBeNull();
    expect(performance.now() - startedMs).toBeLessThan(2_000);
  });
});
