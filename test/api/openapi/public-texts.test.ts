// Level: push
import { gunzipSync } from 'node:zlib';
import { routes } from '#api/routes/index.ts';
import { describe, expect, standingClock, test } from '#test/support/jest.ts';
import { startWorld } from '#test/support/product/world.ts';
import { readDocument } from '#test/support/project/openapi.ts';
import { sendRaw } from '#test/support/send-raw.ts';

describe('the public texts of the API host', () => {
  const clock = standingClock();
  const world = startWorld({ clock });
  const get = (path: string, headers: Record<string, string> = {}) =>
    sendRaw(world.url + path, { method: 'GET', headers });

  test.each([
    ['/v1/openapi.json', true],
    ['/docs', true],
    ['/docs/scalar.js', true],
    ['/docs/guides/conventions', true],
    ['/docs/collections/bluejay.bruno.json', true],
    ['/llms-full.txt', false],
  ])('%s is compressed for those who accept it, and open to scripts of all origins: %s', async (path, isOpen) => {
    const [plain, first, again] = [
      await get(path),
      await get(path, { 'accept-encoding': 'gzip, br' }),
      await get(path, { 'accept-encoding': 'gzip' }),
    ];
    expect(plain.headers['content-encoding']).toBeUndefined();
    for (const { status, headers, body } of [first, again]) {
      expect([status, headers['content-encoding'], headers['content-type']]).toEqual([
        ...[200, 'gzip', plain.headers['content-type']],
      ]);
      expect(headers.vary).toMatch(/Accept-Encoding/);
      expect(gunzipSync(body).equals(plain.body)).toBe(true);
      expect(body.length).toBeLessThan(plain.body.length);
      expect(headers['access-control-allow-origin']).toBe(isOpen ? '*' : undefined);
    }
  });

  test.each(['/v1/me', '/', '/oauth/token', '/mcp', '/healthz'])('%s is not open to other origins', async (path) => {
    expect((await get(path, { origin: 'https://a.example' })).headers).not.toHaveProperty(
      'access-control-allow-origin',
    );
  });

  test('the reference is not sent again to a browser that has it', async () => {
    const etag = String((await get('/docs/scalar.js')).headers.etag);
    const known = await get('/docs/scalar.js', { 'if-none-match': etag, 'accept-encoding': 'gzip' });
    expect([known.status, known.body.length]).toEqual([304, 0]);
  });

  test('the address alone leads to the reference', async () => {
    const { status, headers } = await get('/');
    expect([status, headers.location]).toEqual([302, `${world.config.http.baseUrl}/docs`]);
  });

  test('security.txt says where to report, for less than a year (RFC 9116)', async () => {
    const { headers, body } = await get('/.well-known/security.txt');
    expect(headers['content-type']).toBe('text/plain; charset=utf-8');
    const fields = new Map(
      body
        .toString()
        .trim()
        .split('\n')
        .map((line) => line.split(': ') as [string, string]),
    );
    expect(fields.get('Contact')).toBe(`mailto:security@${new URL(world.config.http.authUrl).hostname}`);
    const inDays = (Date.parse(fields.get('Expires') ?? '') - clock.now().getTime()) / 86_400_000;
    expect(inDays).toBe(180);
  });

  test('the page of every list has a name in the OpenAPI document', () => {
    const document = readDocument();
    const names = routes.flatMap(({ method, path }) => {
      const schema = document.paths[path][method].responses['200']?.content['application/json']?.schema ?? {};
      const name = schema.$ref?.split('/').at(-1);
      const { nextCursor } = (document.components.schemas[name] ?? schema).properties ?? {};
      return nextCursor ? [name] : [];
    });
    expect(names).toHaveLength(11);
    for (const name of names) expect(name).toMatch(/^[A-Z]\w+Page$/);
  });

  test('where a thing is in its life is called status, never state', () => {
    const objects: Record<string, object>[] = [];
    JSON.stringify(readDocument(), (key, value) => {
      if (key === 'properties') objects.push(value);
      return value;
    });
    expect(objects.filter((each) => 'status' in each).length).toBeGreaterThan(10);
    // That of an address, between city and country.
    expect(objects.filter((each) => 'state' in each && !('city' in each))).toEqual([]);
  });
});
