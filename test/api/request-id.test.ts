// Level: push
import { describe, expect, openOnce, test } from '../support/jest.ts';
import { createClient } from '../support/product/customer.ts';
import { startWorld } from '../support/product/world.ts';
import { sendRaw } from '../support/send-raw.ts';

const fitting = /^[A-Za-z0-9_-]{1,64}$/;

describe('X-Request-Id', () => {
  const world = startWorld();
  const customer = openOnce(() => world.customer());

  const cases = [
    ['200', 'GET', '/v1/wallet', 200],
    ['400', 'GET', '/v1/wallet?x=1', 400],
    ['401', 'GET', '/v1/wallet', 401],
    ['404 for an unknown address', 'GET', '/v1/nothing', 404],
    ['404 for a malformed id', 'GET', '/v1/mails/%FF', 404],
    ['405', 'PUT', '/v1/wallet', 405],
  ] as const;
  test.each(cases)(
    'a response with %s echoes the given ID or returns a new one',
    async (_what, method, path, status) => {
      const { http } = status === 401 ? { http: createClient(world.url) } : customer;
      const given = await http.request(method, path, { headers: { 'x-request-id': 'my_Request-7' } });
      const [first, second] = [await http.request(method, path), await http.request(method, path)];
      expect([given.status, first.status]).toEqual([status, status]);
      expect(given.headers.get('x-request-id')).toBe('my_Request-7');
      expect(first.headers.get('x-request-id')).toMatch(fitting);
      expect(first.headers.get('x-request-id')).not.toBe(second.headers.get('x-request-id'));
    },
  );

  test.each(['a', 'x'.repeat(64), '0', '-_-'])('the ID %j is echoed', async (id) => {
    const { headers } = await customer.http.get('/v1/wallet', { 'x-request-id': id });
    expect(headers.get('x-request-id')).toBe(id);
  });

  const invalid = ['x'.repeat(65), 'two words', '', 'a,b', 'a\tb', 'é', 'a;b', '<script>', 'a.b', '"a"'];
  test.each(invalid)('the invalid ID %j is replaced', async (id) => {
    const authorization = `Bearer ${customer.key}`;
    const request = { method: 'GET', headers: { authorization, 'x-request-id': id } };
    const { status, headers } = await sendRaw(`${world.url}/v1/wallet`, request);
    expect(status).toBe(200);
    expect(headers['x-request-id']).toMatch(fitting);
    expect(headers['x-request-id']).not.toBe(id);
  });

  test('repeated IDs are replaced', async () => {
    const twice = new Headers([
      ['x-request-id', 'a'],
      ['x-request-id', 'b'],
    ]);
    const { headers } = await customer.http.request('GET', '/v1/wallet', { headers: Object.fromEntries(twice) });
    expect(headers.get('x-request-id')).toMatch(fitting);
    expect(['a', 'b', 'a, b']).not.toContain(headers.get('x-request-id'));
  });
});
