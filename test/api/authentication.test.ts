import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import { ApiKey } from '../../common/access/api-key.model.ts';
import { createApiKey, revokeApiKey } from '../../common/access/api-keys.ts';
import { plusMs } from '../../common/clock.ts';
import { type Client, createClient } from '../support/client.ts';
import { standingClock } from '../support/clock.ts';
import type { Customer } from '../support/customer.ts';
import { startWorld } from '../support/world.ts';

const path = '/v1/wallet';
/** A revocation that no process hears of, as without Redis. */
const unheard = { announce: async () => {} };

describe('the API key', () => {
  const clock = standingClock();
  const world = startWorld({ clock });
  let customer: Customer;
  let nobody: Client;
  beforeAll(async () => {
    customer = await world.customer();
    nobody = createClient(world.url);
  });
  const statusWith = async (headers: Record<string, string>) => (await nobody.get(path, headers)).status;

  test('given a new key, when its text is read, then it has the mode, the id and a secret of 256 bits', async () => {
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
    ['X-Api-Key beside another scheme', (key: string) => ({ 'x-api-key': key, authorization: 'Basic dTpw' })],
  ])('given a valid key, when it comes by %s, then it is let in', async (_how, headersOf) => {
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
    ['a very long one', () => ({ 'x-api-key': 'bjk_'.repeat(1_000) })],
    ['an operator of the database', () => ({ 'x-api-key': 'bjk_{"$ne":null}_a' })],
  ])('given %s, when a request comes with it, then 401 that asks for Bearer', async (_what, headersOf) => {
    const answer = await nobody.get(path, headersOf(customer.key));
    expect(answer.status).toBe(401);
    expect(answer.body).toEqual({ code: 'UNAUTHORIZED', message: expect.any(String) });
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    expect(answer.headers.get('ratelimit')).toBeNull();
  });

  test('given a key in the query, when a request comes with it, then 401: addresses end up in logs', async () => {
    for (const name of ['api_key', 'apiKey', 'access_token', 'key']) {
      expect((await nobody.get(`${path}?${name}=${customer.key}`)).status).toBe(401);
    }
  });

  test('given a key revoked before it was ever used, when it comes, then 401', async () => {
    const { key, keyId } = await world.customer();
    await revokeApiKey(keyId, unheard, clock.now());
    expect(await statusWith({ 'x-api-key': key })).toBe(401);
  });

  test('given a key revoked unheard while it is in use, when half a minute has passed, then 401, and for good', async () => {
    // given
    const { key, keyId, organizationId } = await world.customer();
    expect(await statusWith({ 'x-api-key': key })).toBe(200);
    await revokeApiKey(keyId, unheard, clock.now());
    // when: what a process remembers is measured by the monotonic clock
    const real = performance.now.bind(performance);
    const ahead = jest.spyOn(performance, 'now').mockImplementation(() => real() + 30_100);
    try {
      // then
      expect(await statusWith({ 'x-api-key': key })).toBe(401);
      expect(await statusWith({ 'x-api-key': key })).toBe(401);
    } finally {
      ahead.mockRestore();
    }
    const other = await world.customer({ organizationId });
    expect((await other.http.get(path)).status).toBe(200);
  });

  test('given a key that was seen with its secret, when a wrong secret comes after it, then 401', async () => {
    expect(await statusWith({ 'x-api-key': customer.key })).toBe(200);
    expect(await statusWith({ 'x-api-key': flipped(customer.key) })).toBe(401);
    expect(await statusWith({ 'x-api-key': customer.key })).toBe(200);
  });

  test('given a key in use, when minutes pass, then its last use is noted once a minute', async () => {
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

  test('given a last use noted by another process, when the key comes here, then nothing is written within its minute', async () => {
    const { key, keyId } = await world.customer();
    await statusWith({ 'x-api-key': key });
    const noted = plusMs(clock.now(), 30_000);
    await ApiKey.updateOne({ _id: keyId }, { lastUsedAt: noted });
    clock.advance(60_000);
    await Promise.all(Array.from({ length: 5 }, () => statusWith({ 'x-api-key': key })));
    expect((await ApiKey.findById(keyId).lean())?.lastUsedAt).toEqual(noted);
  });

  test('given a key with limits of its own, when it asks, then its answers name those; another key keeps the usual ones', async () => {
    const { organizationId } = customer;
    const own = { organizationId, mode: 'test', scopes: ['wallet'], readsPerMinute: 7, writesPerMinute: 5 } as const;
    const { key } = await createApiKey(own, clock.now());
    const policy = async (text: string, method: string) =>
      (await nobody.request(method, '/v1/wallet/test-top-up', { headers: { 'x-api-key': text } })).headers;
    const read = await nobody.get(path, { 'x-api-key': key });
    expect(read.headers.get('ratelimit-policy')).toMatch(/^"read"; q=7; w=60/);
    expect((await policy(key, 'POST')).get('ratelimit-policy')).toMatch(/^"write"; q=5; w=60/);
    expect((await policy(customer.key, 'POST')).get('ratelimit-policy')).toMatch(/^"write"; q=100000; w=60/);
  });
});
