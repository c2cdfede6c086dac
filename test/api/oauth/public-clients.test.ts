// Level: push
import { systemClock } from '#common/clock.ts';
import { OAuthClient } from '#common/oauth/client.model.ts';
import { isMetadataUrl, readClientMetadata } from '#common/oauth/clients/client-metadata.ts';
import { type ClientFinder, createClientFinder } from '#common/oauth/clients/find-client.ts';
import { isRegisteredUri } from '#common/oauth/clients/redirect-uri.ts';
import { targetRules } from '#common/webhooks/egress/address-rules.ts';
import { afterEach, beforeEach, describe, eventually, expect, guardMs, test } from '#test/support/jest.ts';
import { type MetadataAnswer, type MetadataServer, startMetadataServer } from '#test/support/mcp/public-client.ts';
import { createClient } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';

const at = new Date('2026-03-02T09:00:00Z');

describe('the id of a public client', () => {
  test.each(['https://agent.example/client.json', 'https://agent.example:8443/a/b?c=d', 'http://127.0.0.1:8080/a'])(
    '%s is the URL of its metadata',
    (id) => expect(isMetadataUrl(id)).toBe(true),
  );

  test.each([
    'bjc_aaaaaaaaaaaaaaaa',
    'https://agent.example',
    'https://agent.example/',
    'https://agent.example/a/../client.json',
    'https://agent.example/./client.json',
    'https://AGENT.example/client.json',
    'https://agent.example:443/client.json',
    'https://agent.example/client.json#part',
    'https://user@agent.example/client.json',
    'https://user:secret@agent.example/client.json',
    'file:///etc/passwd',
    'javascript:alert(1)',
    `https://agent.example/${'a'.repeat(500)}`,
  ])('%s is not', (id) => expect(isMetadataUrl(id)).toBe(false));
});

describe('the metadata of a public client', () => {
  const clientId = 'https://agent.example/client.json';
  const document = { client_id: clientId, client_name: 'Agent', redirect_uris: ['http://localhost/callback'] };
  const read = (changes: object) => readClientMetadata(clientId, JSON.stringify({ ...document, ...changes }), at);

  test('a document with id, name and redirect URIs describes a client without a secret or a mode', () => {
    expect(read({ logo_uri: 'https://agent.example/logo.png' })).toMatchObject({
      _id: clientId,
      name: 'Agent',
      mode: null,
      redirectUris: ['http://localhost/callback'],
      scopes: ['read', 'send', 'addresses', 'wallet'],
      secretHashes: [],
    });
    expect(read({ scope: 'send wallet openid' })?.scopes).toEqual(['send', 'wallet']);
    const uris = ['agent://callback', 'http://agent.example/', 'https://agent.example/back'];
    expect(read({ redirect_uris: uris })?.redirectUris).toEqual(['https://agent.example/back']);
  });

  test('webhooks, which report every letter of an organization, are not open to it', () => {
    expect(read({ scope: 'webhooks wallet' })?.scopes).toEqual(['wallet']);
    expect(read({ scope: 'webhooks' })).toBeNull();
  });

  test.each<[string, object]>([
    ['of another id', { client_id: 'https://agent.example/other.json' }],
    ['without a name', { client_name: undefined }],
    ['with a name of control characters', { client_name: 'Agent\u0007' }],
    ['with a name that changes the direction of the text', { client_name: 'Agent\u202E' }],
    ['with a name of invisible characters', { client_name: 'Ag\u200Bent' }],
    ['with a name of several lines', { client_name: 'Agent\u2028Bank' }],
    ['with a long name', { client_name: 'x'.repeat(101) }],
    ['without redirect URIs', { redirect_uris: [] }],
    ['with no redirect URI that is allowed', { redirect_uris: ['http://agent.example/callback'] }],
    ['with a secret', { client_secret: 'x' }],
    ['with a method that needs a secret', { token_endpoint_auth_method: 'client_secret_basic' }],
    ['with a method that needs a key', { token_endpoint_auth_method: 'private_key_jwt' }],
    ['without the code grant', { grant_types: ['client_credentials'] }],
    ['without the response type code', { response_types: ['token'] }],
    ['with none of our scopes', { scope: 'openid' }],
  ])('a document %s is refused', (_what, changes) => expect(read(changes)).toBeNull());

  test('text that is not an object is refused', () => {
    for (const text of ['', '{', 'null', '[]', '"x"']) expect(readClientMetadata(clientId, text, at)).toBeNull();
  });
});

describe('the redirect URI of a public client', () => {
  const redirectUris = ['http://127.0.0.1/callback', 'http://[::1]/callback', 'https://agent.example/callback'];

  test.each(['http://127.0.0.1:49152/callback', 'http://[::1]:1/callback', ...redirectUris])('%s matches', (uri) =>
    expect(isRegisteredUri(uri, { redirectUris, mode: null })).toBe(true),
  );

  test.each([
    'http://127.0.0.1:49152/other',
    'http://127.0.0.1:49152/callback?x=y',
    'http://localhost:49152/callback',
    'http://127.0.0.1:49152/callback#x',
    'http://user@127.0.0.1:49152/callback',
    'http://127.0.0.1:49152/a/../callback',
    'http://127.0.0.1.evil.example/callback',
    'https://127.0.0.1:49152/callback',
    'https://agent.example:8443/callback',
  ])('%s does not', (uri) => expect(isRegisteredUri(uri, { redirectUris, mode: null })).toBe(false));

  test('the port of a registered application is not free', () => {
    expect(isRegisteredUri('http://127.0.0.1:1/callback', { redirectUris, mode: 'test' })).toBe(false);
  });
});

describe('fetching the metadata of a public client', () => {
  startWorld({ hasTariffs: false });
  let server: MetadataServer;
  let find: ClientFinder;
  let blocked: string[];
  const finder = (
    allowLoopback = true,
    timeoutMs = 20_000,
    allowCidrs: string[] = [],
    hosts: string[] | null = null,
  ) => {
    const rules = targetRules({ allowLoopback, allowCidrs, ports: [443] });
    return createClientFinder({
      rules,
      publicHosts: hosts,
      clock: systemClock,
      onBlocked: (reason) => void blocked.push(reason),
      timeoutMs,
    });
  };
  beforeEach(async () => {
    blocked = [];
    server = await startMetadataServer();
    find = finder();
  });
  afterEach(async () => await server.close());

  test('it is fetched once, also for requests at the same time', async () => {
    const found = await Promise.all([find(server.clientId), find(server.clientId)]);
    found.push(await find(server.clientId));
    const agent = expect.objectContaining({ name: 'Letter agent' });
    expect(found).toEqual([agent, agent, agent]);
    expect([server.countRequests(), server.lastAgent()]).toEqual([1, 'Bluejay-OAuth/1']);
  });

  test.each<[string, MetadataAnswer]>([
    ['a redirect', { status: 302, headers: { location: '/other' } }],
    ['that it is missing', { status: 404 }],
    ['another media type', { headers: { 'content-type': 'text/html' } }],
    ['more than 5 KiB', { body: { client_uri: 'x'.repeat(6_000) } }],
    ['no JSON', { body: '{' }],
  ])('%s makes the client unknown, and is remembered', async (_what, answer) => {
    server.answerWith(answer);
    expect([await find(server.clientId), await find(server.clientId)]).toEqual([null, null]);
    expect(server.countRequests()).toBe(1);
  });

  test('addresses that webhooks may not have are not asked', async () => {
    const guarded = finder(false);
    const ids = [server.clientId, 'https://169.254.169.254/latest/meta-data', 'https://localhost/client.json'];
    for (const id of ids) expect([id, await guarded(id)]).toEqual([id, null]);
    expect([server.countRequests(), blocked]).toEqual([0, ['url', 'url', 'url']]);
  });

  test('private networks that are open to webhooks are not asked', async () => {
    const guarded = finder(false, 100, ['127.0.0.0/8']);
    expect(await guarded('https://127.0.0.1/client.json')).toBeNull();
    expect(blocked).toEqual(['url']);
  });

  test('a server that does not answer makes the client unknown in time', async () => {
    const silent = finder(true, 100);
    server.stall();
    expect(await silent(server.clientId)).toBe('unreachable');
  });

  test.each([429, 500, 503])('status %d makes the client unreachable for now, not unknown', async (status) => {
    server.answerWith({ status });
    expect([await find(server.clientId), await find(server.clientId)]).toEqual(['unreachable', 'unreachable']);
    expect(server.countRequests()).toBe(1);
  });

  test('a fetch beyond 20 at the same time is refused, and not remembered', async () => {
    const patient = finder(true, guardMs);
    server.stall();
    const ids = Array.from({ length: 21 }, (_, index) => `${server.clientId}?${index}`);
    const asked = ids.map((id) => patient(id).catch((error: unknown) => ({ id, error })));
    // The others wait for an answer that does not come.
    const refused = await Promise.race(asked);
    expect(refused).toMatchObject({ error: { code: 'SERVICE_UNAVAILABLE', retryAfterS: 5 } });
    await eventually(() => expect(server.countRequests()).toBe(20));
    server.goOn();
    // The document is that of another id.
    expect((await Promise.all(asked)).filter((client) => client === null)).toHaveLength(20);
    expect(await patient((refused as unknown as { id: string }).id)).toBeNull();
    expect(server.countRequests()).toBe(21);
  });

  test('the operator may allow no public client, or those of certain hosts', async () => {
    const { host, hostname } = new URL(server.clientId);
    const findAmong = async (hosts: string[]) => await finder(true, 20_000, [], hosts)(server.clientId);
    expect([await findAmong([]), await findAmong([hostname, `x${host}`])]).toEqual([null, null]);
    expect(server.countRequests()).toBe(0);
    expect(await findAmong(['agent.example', host])).toMatchObject({ name: 'Letter agent' });
  });

  test('a fetch is counted, a document that is kept is not', async () => {
    let counted = 0;
    const count = async () => {
      counted += 1;
    };
    await find(server.clientId, count);
    await find(server.clientId, count);
    expect(counted).toBe(1);
    const refusal = new Error('too many');
    const refuse = async () => await Promise.reject(refusal);
    await expect(find(`${server.clientId}?other`, refuse)).rejects.toBe(refusal);
    expect(await find(server.clientId, refuse)).toMatchObject({ name: 'Letter agent' });
    expect(server.countRequests()).toBe(1);
  });
});

describe.each([
  ['none', 'https://agent.example/client.json', 'invalid_client'],
  ['other.example', 'https://agent.example/client.json', 'invalid_client'],
  ['agent.example,other.example', 'https://agent.example/client.json', 'invalid_grant'],
])('with OAUTH_PUBLIC_CLIENTS %s', (allowed, clientId, error) => {
  const world = startWorld({ hasTariffs: false, environment: { OAUTH_PUBLIC_CLIENTS: allowed } });

  test(`a public client of agent.example that had consents gets ${error} for a wrong token`, async () => {
    const client = readClientMetadata(
      clientId,
      JSON.stringify({ client_id: clientId, client_name: 'Agent', redirect_uris: ['http://localhost/'] }),
      at,
    );
    await OAuthClient.create([client ?? {}]);
    const form = { grant_type: 'refresh_token', refresh_token: `bjr_${'a'.repeat(16)}_x`, client_id: clientId };
    const http = createClient(world.url);
    expect((await http.request('POST', '/oauth/token', { body: new URLSearchParams(form) })).body.error).toBe(error);
  });

  test('the metadata names public clients unless there are none', async () => {
    const { body } = await createClient(world.url).get('/.well-known/oauth-authorization-server');
    const isOpen = allowed !== 'none';
    expect(body.token_endpoint_auth_methods_supported.includes('none')).toBe(isOpen);
    expect(body.revocation_endpoint_auth_methods_supported.includes('none')).toBe(isOpen);
    expect(body.client_id_metadata_document_supported).toBe(isOpen ? true : undefined);
  });
});
