// Level: push
import { describe, expect, test } from '#test/support/jest.ts';
import { startHttpAgent } from '#test/support/mcp/agent.ts';
import { anApplication } from '#test/support/product/application.ts';
import type { Customer } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';
import { type RawAnswer, sendRaw } from '#test/support/send-raw.ts';

const listTools = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
const accept = 'application/json, text/event-stream';

describe('the transport at /mcp', () => {
  const world = startWorld({ hasTariffs: false });

  type Sent = { method?: string; headers?: Record<string, string>; body?: unknown };
  async function send(customer: Customer | null, { method = 'POST', headers = {}, body = listTools }: Sent = {}) {
    const authorization = customer ? { authorization: `Bearer ${customer.key}` } : {};
    const json = { accept, 'content-type': 'application/json' };
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const given = { ...json, ...authorization, ...headers };
    return await sendRaw(`${world.url}/mcp`, { method, headers: given, body: method === 'POST' ? text : '' });
  }
  // biome-ignore lint/suspicious/noExplicitAny: the assertions of the tests check the bodies
  const bodyOf = ({ body }: RawAnswer): any => JSON.parse(body.toString());

  test('each message is answered with JSON and without a session', async () => {
    const answer = await send(await world.customer());
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'application/json']);
    expect(answer.headers['mcp-session-id']).toBeUndefined();
    expect(bodyOf(answer).result.tools).toHaveLength(14);
  });

  test('without a valid credential the answer names the metadata of the resource', async () => {
    const { baseUrl } = world.config.http;
    const metadataUrl = `${baseUrl}/.well-known/oauth-protected-resource/mcp`;
    const challenge = `Bearer resource_metadata="${metadataUrl}", scope="read send addresses wallet"`;
    for (const headers of [{}, { authorization: 'Bearer bjk_test_x' }, { authorization: 'Bearer bja_x' }]) {
      const { status, headers: answered } = await send(null, { headers });
      const whole = 'authorization' in headers ? `${challenge}, error="invalid_token"` : challenge;
      expect([status, answered['www-authenticate']]).toEqual([401, whole]);
    }
    expect((await fetch(`${world.url}/v1/wallet`)).headers.get('www-authenticate')).toBe('Bearer');
    const metadata = await fetch(world.url + new URL(metadataUrl).pathname);
    expect(await metadata.json()).toMatchObject({
      resource: `${baseUrl}/mcp`,
      authorization_servers: [baseUrl],
      scopes_supported: ['read', 'send', 'addresses', 'wallet'],
      bearer_methods_supported: ['header'],
    });
  });

  test('an OAuth application uses the tools of its customer, until the grant is revoked', async () => {
    const application = await anApplication(world, { scopes: ['wallet'] });
    const { access_token: key } = await application.authorize();
    const agent = await startHttpAgent({ url: world.url, key });
    expect((await agent.use('get_wallet')).data.balanceCents).toBe(100_000);
    expect((await agent.use('list_letters')).data.code).toBe('FORBIDDEN');
    await application.revoke({ token: key });
    await expect(agent.use('get_wallet')).rejects.toThrow();
    await agent.close();
  });

  test.each(['evil.example', 'localhost.evil.example:3000', '169.254.169.254', '[::2]'])(
    'a message to the host %s is refused before the key is read',
    async (host) => {
      const answer = await send(null, { headers: { host } });
      expect([answer.status, bodyOf(answer).code]).toEqual([403, 'FORBIDDEN']);
    },
  );

  test.each(['https://evil.example', 'null', 'http://localhost.evil.example', 'file://'])(
    'a web page of the origin %s is refused before the key is read',
    async (origin) => {
      const answer = await send(null, { headers: { origin } });
      expect([answer.status, bodyOf(answer).code]).toEqual([403, 'FORBIDDEN']);
    },
  );

  test('the host and origin of the API itself are accepted', async () => {
    const customer = await world.customer();
    const { port } = new URL(world.url);
    for (const name of ['localhost', '127.0.0.1', '[::1]']) {
      const headers = { host: `${name}:${port}`, origin: `http://${name}:${port}` };
      expect((await send(customer, { headers })).status).toBe(200);
    }
    const forwarded = { host: 'evil.example', 'x-forwarded-host': 'localhost' };
    expect((await send(customer, { headers: forwarded })).status).toBe(403);
  });

  test('streams and sessions are 405, other types 415, faulty JSON and batches 400', async () => {
    const customer = await world.customer();
    for (const method of ['GET', 'DELETE', 'PUT']) {
      const { status, headers } = await send(customer, { method });
      expect([method, status, headers.allow]).toEqual([method, 405, 'POST']);
    }
    expect((await send(customer, { headers: { 'content-type': 'text/plain' } })).status).toBe(415);
    const faulty = ['{', '', '""', 'null', '[]', [listTools, listTools], {}, { jsonrpc: '1.0', id: 1, method: 'x' }];
    for (const body of faulty) expect([body, (await send(customer, { body })).status]).toEqual([body, 400]);
  });

  test('more than 1 MiB is 413, and 1 MB of text is refused in a short answer', async () => {
    const customer = await world.customer();
    const message = (input: object) => ({
      ...{ ...listTools, method: 'tools/call', params: { name: 'search_docs', arguments: input } },
    });
    expect((await send(customer, { body: message({ query: 'x'.repeat(1_048_576) }) })).status).toBe(413);
    const long = 'x'.repeat(1_000_000);
    const items = Array.from({ length: 200_000 }, () => 'x');
    for (const input of [{ query: long }, { query: 'x', [long]: 1 }, { query: items }]) {
      const answer = await send(customer, { body: message(input) });
      expect([answer.status, bodyOf(answer).result.isError]).toEqual([200, true]);
      expect(answer.body.length).toBeLessThan(1_000);
    }
  });
});

describe('the limits at /mcp', () => {
  const world = startWorld({ environment: { RATE_LIMIT_READ_PER_MINUTE: '4', RATE_LIMIT_BURST: '4' } });

  test('a message counts as a read, and so does the request of its tool', async () => {
    const { key } = await world.customer();
    // Initializing sends two messages, the list is the third, and the call the fourth.
    const agent = await startHttpAgent({ url: world.url, key });
    const { isError, data } = await agent.use('get_wallet');
    expect([isError, data.code]).toEqual([true, 'RATE_LIMITED']);
    expect(data.retryAfterS).toBeGreaterThan(0);
    await expect(agent.use('get_wallet')).rejects.toThrow();
    await agent.close();
  });
});

describe('/mcp behind a proxy', () => {
  const world = startWorld({ environment: { BASE_URL: 'https://api.example', TRUST_PROXY: '1' } });

  test.each([
    ['the host of BASE_URL', { host: 'api.example' }, 200],
    ['its name as X-Forwarded-Host', { 'x-forwarded-host': 'api.example' }, 200],
    ['the name of this machine', {}, 403],
    ['another X-Forwarded-Host', { host: 'api.example', 'x-forwarded-host': 'evil.example' }, 403],
    ['an origin on this machine', { host: 'api.example', origin: 'http://localhost:3000' }, 403],
  ])('a message with %s is answered or refused', async (_what, own, status) => {
    const { key } = await world.customer();
    const json = { accept, 'content-type': 'application/json', authorization: `Bearer ${key}` };
    const body = JSON.stringify(listTools);
    const answer = await sendRaw(`${world.url}/mcp`, { method: 'POST', headers: { ...json, ...own }, body });
    expect(answer.status).toBe(status);
  });
});
