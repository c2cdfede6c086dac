// Level: push
import { routes } from '#api/routes/index.ts';
import { type Scope, scopes } from '#common/access/scopes.ts';
import type { Mode } from '#common/modes.ts';
import { byLevel, describe, expect, openOnce, test } from '../support/jest.ts';
import { makeResource, pathOf, requestOf, routeRows, verbOf } from '../support/product/all-routes.ts';
import { aSender, type Client, type Customer, createClient, issuePaths } from '../support/product/customer.ts';
import { startWorld } from '../support/product/world.ts';
import { sendRaw } from '../support/send-raw.ts';

const allBut = (scope: Scope | 'any') => scopes.filter((other) => other !== scope);
const isFull = byLevel({ quick: false, full: true });
const verbs = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

describe('every route', () => {
  const world = startWorld();
  const sender = openOnce(() => aSender(world));
  const live = openOnce(() => world.customer({ mode: 'live' }));
  const anonymous = openOnce(async () => createClient(world.url));
  const customers = new Map<string, Promise<Customer>>();
  /** Returns the one customer of this mode with these scopes. */
  async function customerWith(scopes: readonly Scope[], mode: Mode = 'test'): Promise<Customer> {
    const name = [mode, ...scopes].join(' ');
    const customer = customers.get(name) ?? world.customer({ scopes, mode });
    customers.set(name, customer);
    return await customer;
  }

  test.each(routeRows)('%s without a key is 401', async (_name, route) => {
    const answer = await anonymous.request(verbOf(route), pathOf(route));
    expect(answer).toMatchObject({ status: 401, body: { code: 'UNAUTHORIZED' } });
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
  });

  test.each(routeRows)('%s needs its scope and no other', async (_name, route) => {
    const { scope, mode } = route;
    const own = scope === 'any' ? scopes : [scope];
    if (own.length === 1) {
      const others = await customerWith(allBut(scope), mode);
      const refused = await others.http.request(verbOf(route), pathOf(route));
      expect(refused).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
      const challenge = `Bearer error="insufficient_scope", scope="${scope}"`;
      expect(refused.headers.get('www-authenticate')).toBe(challenge);
    }
    for (const each of own) {
      const alone = await customerWith([each], mode);
      expect((await alone.http.request(verbOf(route), pathOf(route))).status).not.toBe(403);
    }
  });

  test.each(routeRows)('%s refuses live keys only if it requires test mode', async (_name, route) => {
    const { status } = await live.http.request(verbOf(route), pathOf(route));
    const ofTest = ['/v1/mails/{id}/simulate', '/v1/wallet/test-top-up'];
    expect(status === 403).toBe(ofTest.includes(route.path) || route.path.startsWith('/v1/sandbox/'));
  });

  test.each(routeRows)('%s refuses test keys only if it requires live mode', async (name, route) => {
    const { status } = await sender.http.request(verbOf(route), pathOf(route));
    expect(status === 403).toBe(name === 'PATCH /v1/templates/letterhead');
  });

  const paths = [...new Set(routes.map(({ path }) => path))];
  test.each(paths)('%s refuses other methods with 405 and Allow', async (path) => {
    const known = routes.filter((route) => route.path === path).map(verbOf);
    const allowed = known.includes('GET') ? [...known, 'HEAD'] : known;
    for (const [index, verb] of verbs
      .filter((each) => !known.includes(each))
      .slice(0, isFull ? 6 : 2)
      .entries()) {
      // Even without a key, because the path is checked first.
      for (const client of index === 0 || isFull ? [anonymous, sender.http] : [anonymous]) {
        const answer = await client.request(verb, pathOf({ path }));
        expect([verb, answer.status, answer.body.code]).toEqual([verb, 405, 'METHOD_NOT_ALLOWED']);
        expect((answer.headers.get('allow') ?? '').split(', ').sort()).toEqual([...allowed].sort());
      }
    }
    const head = await sender.http.request('HEAD', pathOf({ path }));
    if (!allowed.includes('HEAD')) expect(head.status).toBe(405);
    else expect([200, 404]).toContain(head.status);
  });

  test.each([
    '/v1',
    '/v1/nothing',
    '/v1/mails/',
    '/v1/Mails',
    '/V1/mails',
    '/v2/mails',
    '/v1//mails',
    '/v1/mails/a/b',
    '/v1/quote/x',
    '/%FF',
  ])('the unknown path %s is 404 as JSON for every method, with and without a key', async (path) => {
    for (const [index, verb] of verbs.entries()) {
      for (const client of index === 0 || isFull ? [anonymous, sender.http] : [anonymous]) {
        const answer = await client.request(verb, path);
        expect([verb, answer.status, answer.body.code]).toEqual([verb, 404, 'NOT_FOUND']);
        expect(answer.headers.get('content-type')).toMatch(/^application\/json\b/);
      }
    }
  });

  const inLive = openOnce(() => {
    return aSender(world, { organizationId: sender.organizationId, mode: 'live', balanceCents: 100_000 });
  });
  const stranger = openOnce(() => world.customer());
  const withId = routeRows.filter(([, { path }]) => path.includes('{id}'));
  test.each(withId)('%s does not reveal resources of other organizations or modes', async (_name, route) => {
    const [ofTest, ofLive] = [await makeResource(route, sender), await makeResource(route, inLive)];
    const ask = (client: Client, id?: string) => client.request(verbOf(route), pathOf(route, id), requestOf(route));
    const none = await ask(stranger.http);
    expect([none.status, none.body.code]).toEqual([404, 'NOT_FOUND']);
    const cases: [Client, string][] = [
      [stranger.http, ofTest],
      [sender.http, ofLive],
    ];
    if (route.mode === undefined) cases.push([inLive.http, ofTest]);
    // Another spelling of the same id.
    const [prefix = '', ending = ''] = ofTest.split(/_(.*)/s);
    const spelled = [`org_${ending}`, `${prefix}_${ending.toUpperCase()}`, `${ofTest}0`, `MJ_${ending}`, ending];
    cases.push(...spelled.map((id): [Client, string] => [sender.http, id]));
    for (const [client, id] of cases) {
      const answer = await ask(client, id);
      expect([answer.status, answer.body]).toEqual([404, none.body]);
    }
    expect((await ask(sender.http, ofTest)).status).toBe(200);
  });

  test.each(withId)('%s with a malformed ID is 404', async (name, route) => {
    // Sent raw, because fetch would normalize some of these.
    const fitting = requestOf(route);
    const headers = { ...fitting.headers, authorization: `Bearer ${sender.key}` };
    const short = ['x', 'mj_', 'mj_short', 'Stream', '$ne', 'null', '{id}', 'mj_{id}', 'x'.repeat(300)];
    const encoded = ['adr_%FF', 'mj_%FF', '%00', '%2F', '..%2Fwallet', '%F0%9F%98%80'];
    for (const id of short) expect(route.params?.safeParse({ id, deliveryId: id }).success).toBe(false);
    // Every route decodes its path in the same way.
    for (const id of ['x', '%FF', ...(name === 'GET /v1/mails/{id}' ? [...short, ...encoded] : [])]) {
      const request = { method: verbOf(route), headers, ...(fitting.body !== undefined && { body: fitting.body }) };
      const { status, body } = await sendRaw(world.url + route.path.replace(/\{(id|deliveryId)\}/g, id), request);
      expect([id, status, JSON.parse(body.toString()).code]).toEqual([id, 404, 'NOT_FOUND']);
    }
  });

  const queries = [
    ['colour=1', ['colour']],
    ['colour=1&colour=2', ['colour']],
    ['hasOwnProperty', ['hasOwnProperty']],
    ['__proto__=1&a%5B%5D=2', ['__proto__', 'a[]']],
  ] as const;
  test.each(routeRows)('%s refuses unknown query parameters with 400 and names each', async (name, route) => {
    const { http } = route.mode === 'live' ? live : sender;
    // Each route by the same rule, so one has all variants.
    const isShort = !isFull && name !== 'GET /v1/mails';
    for (const [query, names] of isShort ? queries.slice(-1) : queries) {
      const answer = await http.request(verbOf(route), `${pathOf(route)}?${query}`);
      expect([query, answer.status, answer.body.code]).toEqual([query, 400, 'VALIDATION_ERROR']);
      expect(issuePaths(answer)).toEqual(expect.arrayContaining([...names]));
    }
  });

  // Each route counts its requests by the same rule, as the tests of `order-of-checks` show.
  const counted = routeRows.filter(([name]) => isFull || /^(GET|POST) \/v1\/(mails|webhooks)$|\{id\}$/.test(name));
  test.each(counted)('%s shows the quota in every response to a known key', async (_name, route) => {
    const kind = route.method === 'get' ? 'read' : 'write';
    const forbidden = await customerWith(allBut(route.scope));
    for (const { http } of [sender, forbidden]) {
      const { headers } = await http.request(verbOf(route), `${pathOf(route)}?unknown`);
      expect(headers.get('ratelimit-policy')).toMatch(new RegExp(`^"${kind}"; q=100000; w=60`));
      expect(headers.get('ratelimit')).toMatch(new RegExp(`^"${kind}"; r=\\d+; t=\\d+`));
    }
  });
});
