// Level: push
import { Client, type OAuthClientProvider, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { OAuthGrant } from '#common/access/grant.model.ts';
import { languages } from '#common/languages.ts';
import { OAuthClient } from '#common/oauth/client.model.ts';
import { disableClient } from '#common/oauth/clients/change-client.ts';
import { afterAll, afterEach, beforeAll, describe, expect, openOnce, test } from '../support/jest.ts';
import { type MetadataServer, startMetadataServer } from '../support/mcp/public-client.ts';
import { anAttempt, statusOf } from '../support/product/application.ts';
import { createClient } from '../support/product/customer.ts';
import { formsOf, startWebHost } from '../support/web/web-host.ts';

const path = '/oauth/authorize';
const redirectUri = 'http://127.0.0.1:49152/callback';

describe('an agent without a registration', () => {
  const { world, host } = startWebHost();
  const visitor = openOnce(() => host.signedIn());
  let server: MetadataServer;
  let mcpUrl: string;
  beforeAll(async () => {
    server = await startMetadataServer();
    mcpUrl = `${world.config.http.baseUrl}/mcp`;
  });
  afterEach(() => server.answerWith({}));
  afterAll(async () => await server.close());

  function attempt(changes: Record<string, string> = {}) {
    const { verifier, query } = anAttempt({ clientId: server.clientId, redirectUri, scopes: ['read', 'wallet'] });
    query.set('resource', mcpUrl);
    for (const [name, value] of Object.entries(changes)) query.set(name, value);
    return { verifier, address: `${path}?${query}` };
  }
  const post = async (form: Record<string, string>) =>
    await createClient(world.url).request('POST', '/oauth/token', {
      body: new URLSearchParams({ client_id: server.clientId, ...form }),
    });
  /** Lets the user consent and returns the form that exchanges the code. */
  async function consent(fields: Record<string, string> = {}, changes: Record<string, string> = {}) {
    const { verifier, address } = attempt(changes);
    const { location, text } = await visitor.send(address, path, { action: 'allow', ...fields });
    const code = new URL(location ?? text).searchParams.get('code') ?? '';
    return { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: verifier };
  }

  test('the official client finds everything, gets tokens, uses the tools, and refreshes', async () => {
    const { baseUrl, authUrl } = world.config.http;
    const own = async (url: string | URL, init?: RequestInit) =>
      await fetch(String(url).replace(baseUrl, world.url), init);
    const saved: { verifier?: string; tokens?: Awaited<ReturnType<OAuthClientProvider['tokens']>>; asked?: URL } = {};
    const provider: OAuthClientProvider = {
      redirectUrl: redirectUri,
      clientMetadata: { redirect_uris: [redirectUri] },
      clientInformation: () => ({ client_id: server.clientId }),
      tokens: () => saved.tokens,
      saveTokens: (tokens) => void Object.assign(saved, { tokens }),
      redirectToAuthorization: (asked) => void Object.assign(saved, { asked }),
      saveCodeVerifier: (verifier) => void Object.assign(saved, { verifier }),
      codeVerifier: () => saved.verifier ?? '',
    };
    const connect = async () => {
      const transport = new StreamableHTTPClientTransport(new URL(mcpUrl), { authProvider: provider, fetch: own });
      const client = new Client({ name: 'test', version: '1' });
      return { transport, client, connecting: client.connect(transport) };
    };
    const first = await connect();
    await expect(first.connecting).rejects.toThrow(/[Uu]nauthorized/);
    expect(saved.asked?.href.startsWith(`${authUrl}${path}?`)).toBe(true);
    const { searchParams } = saved.asked ?? new URL('none:');
    expect([searchParams.get('resource'), searchParams.get('scope')]).toEqual([mcpUrl, 'read send addresses wallet']);

    const { location } = await visitor.send(`${path}?${searchParams}`, path, { action: 'allow', mode: 'test' });
    const back = new URL(location ?? 'none:');
    await first.transport.finishAuth(back.searchParams);
    const second = await connect();
    await second.connecting;
    const wallet = await second.client.callTool({ name: 'get_wallet', arguments: {} });
    expect(wallet.content[0]).toMatchObject({ text: expect.stringMatching(/^\[TEST\] The balance is 100000 cents/) });

    // Once the access token is gone, the client refreshes by itself.
    await OAuthGrant.updateMany({ clientId: server.clientId }, { accessTokens: [] });
    const again = await second.client.callTool({ name: 'get_wallet', arguments: {} });
    expect(again.isError).not.toBe(true);
    await second.client.close();
  });

  test('its token is for the tools alone: the rest of the API refuses it', async () => {
    const { body: tokens } = await post(await consent());
    expect(tokens).toMatchObject({ token_type: 'Bearer', scope: 'read wallet' });
    expect(await statusOf(world, tokens.access_token)).toBe(401);
    const forged = { 'x-bluejay-tool': Buffer.alloc(32).toString('base64url') };
    const http = createClient(world.url, tokens.access_token);
    expect((await http.get('/v1/wallet', forged)).status).toBe(401);
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'get_wallet', arguments: {} } };
    const accept = { accept: 'application/json, text/event-stream' };
    expect((await http.post('/mcp', message, accept)).body.result.structuredContent.balanceCents).toBe(100_000);
  });

  test('without a resource, or with that of the API, its token is for the whole API', async () => {
    for (const resource of ['', world.config.http.baseUrl, `${world.config.http.baseUrl}/`]) {
      const { body } = await post(await consent({}, { resource }));
      expect([resource, await statusOf(world, body.access_token)]).toEqual([resource, 200]);
    }
  });

  test('another resource is invalid_target, at the consent and at the token (RFC 8707)', async () => {
    for (const resource of ['https://other.example/mcp', `${mcpUrl}/x`, 'mcp', `${mcpUrl}#x`]) {
      const { location } = await visitor.get(attempt({ resource }).address);
      expect([resource, new URL(location ?? 'none:').searchParams.get('error')]).toEqual([resource, 'invalid_target']);
    }
    const form = await consent();
    const { baseUrl } = world.config.http;
    expect((await post({ ...form, resource: baseUrl })).body.error).toBe('invalid_target');
    const { body: tokens } = await post({ ...form, resource: mcpUrl });
    const refresh = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token };
    expect((await post({ ...refresh, resource: baseUrl })).body.error).toBe('invalid_target');
    const { body: next } = await post({ ...refresh, resource: mcpUrl });
    expect((await post({ ...refresh, resource: baseUrl })).body.error).toBe('invalid_target');
    expect(await statusOf(world, next.access_token)).toBe(401);
  });

  test('a faulty request of a web client shows an error page with a link (RFC 9700, 4.11.2)', async () => {
    const web = { redirect_uri: 'https://agent.example/callback' };
    for (const language of languages) {
      const { address } = attempt({ ...web, scope: 'printing' });
      const { status, location, text } = await visitor.get(`/${language}${address}`);
      expect([status, location]).toEqual([400, null]);
      expect(text).toContain('The scope printing is not open to this application.');
      expect(text).toMatch(
        /<a href="https:\/\/agent\.example\/callback\?error=invalid_scope&amp;[^"]*"[^>]*>[^<]*agent\.example</,
      );
    }
    const [{ hidden = {} } = {}] = formsOf((await visitor.get(attempt(web).address)).text);
    const request = attempt({ ...web, resource: 'mcp' }).address.slice(path.length + 1);
    const { status, location } = await visitor.post(path, { ...hidden, request, action: 'deny' });
    expect([status, location]).toEqual([400, null]);
    const denied = await visitor.send(attempt(web).address, path, { action: 'deny' });
    expect(denied.location).toMatch(/^https:\/\/agent\.example\/callback\?error=access_denied&/);
  });

  test('a consent from before resources were stored is refreshed, whatever resource its client names', async () => {
    const { body: tokens } = await post(await consent({}, { resource: '' }));
    await OAuthGrant.collection.updateMany({ clientId: server.clientId }, { $unset: { resource: '' } });
    const refresh = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token, resource: mcpUrl };
    const { body: next } = await post(refresh);
    expect(await statusOf(world, next.access_token)).toBe(200);
    expect((await post(refresh)).body.access_token).toBe(next.access_token);
  });

  test('a code needs its verifier, and a secret is refused', async () => {
    const form = await consent();
    const { code_verifier: _, ...without } = form;
    expect((await post(without)).body.error).toBe('invalid_grant');
    expect((await post({ ...form, code_verifier: 'a'.repeat(43) })).body.error).toBe('invalid_grant');
    expect((await post({ ...form, client_secret: 'x' })).body.error).toBe('invalid_client');
    expect((await post({ ...form, client_id: `${server.clientId}x` })).body.error).toBe('invalid_client');
    expect((await post(form)).status).toBe(200);
  });

  test('a used refresh token that comes back ends the consent', async () => {
    const { body: tokens } = await post(await consent());
    const refresh = async (token: string) => await post({ grant_type: 'refresh_token', refresh_token: token });
    const { body: second } = await refresh(tokens.refresh_token);
    const { body: third } = await refresh(second.refresh_token);
    expect((await refresh(tokens.refresh_token)).body.error).toBe('invalid_grant');
    expect((await refresh(third.refresh_token)).body.error).toBe('invalid_grant');
  });

  test('the page asks for the mode, test by default, and shows whom nobody has checked', async () => {
    const { text } = await visitor.get(attempt().address);
    expect(text).toMatch(/name="mode" value="test"[^>]* checked/);
    expect(text).toContain(new URL(server.clientId).host);
    expect(text).toContain('127.0.0.1:49152');
    expect(text).toContain('We have not checked this.');
    expect(text).toContain('The application chose its name itself.');
    expect(text).toContain(`<code>${server.clientId}</code>`);
    const modeOf = async (form: { code: string }) => {
      const [, grantId] = form.code.split('_');
      return (await OAuthGrant.findById(grantId).orFail().lean<{ mode: string }>()).mode;
    };
    expect([await modeOf(await consent()), await modeOf(await consent({ mode: 'live' }))]).toEqual(['test', 'live']);
    const wrong = await visitor.send(attempt().address, path, { action: 'allow', mode: 'other' });
    expect(wrong.status).toBe(400);
  });

  test('no metadata is fetched for strangers: they sign in first', async () => {
    const unknown = await startMetadataServer();
    const { address } = attempt({ client_id: unknown.clientId });
    const { status, location } = await host.visitor().get(address);
    expect([status, location]).toEqual([303, expect.stringMatching(/\/sign-in\?next=/)]);
    expect(unknown.countRequests()).toBe(0);
    unknown.answerWith({ status: 500 });
    const { status: failed, text } = await visitor.get(address);
    expect([failed, text]).toEqual([400, expect.stringContaining('could not be fetched. Try again in a minute.')]);
    await unknown.close();
  });

  test('a user makes this server fetch 5 documents at once, then 12 a minute', async () => {
    const user = await host.signedIn();
    await visitor.get(attempt().address);
    const ask = async (query: string) =>
      (await user.get(attempt({ client_id: `${server.clientId}${query}` }).address)).status;
    const statuses = await Promise.all(Array.from({ length: 12 }, (_, index) => ask(`?${index}`)));
    expect(statuses.filter((status) => status !== 429).length).toBeGreaterThanOrEqual(5);
    expect(statuses).toContain(429);
    expect(await ask('')).toBe(200);
  });

  test('the user sees its host, and the name that it had at the consent, and revokes it', async () => {
    const other = await startMetadataServer(`/${'long/'.repeat(60)}client.json`);
    const { verifier, address } = attempt({ client_id: other.clientId, resource: '' });
    const { location } = await visitor.send(address, path, { action: 'allow', mode: 'live' });
    const code = new URL(location ?? 'none:').searchParams.get('code') ?? '';
    const form = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: verifier };
    const { body: tokens } = await post({ ...form, client_id: other.clientId });
    // What a consent in another organization stores after the application has renamed itself.
    await OAuthClient.updateOne({ _id: other.clientId }, { name: 'Your bank' });
    const { text } = await visitor.get('/account/applications');
    expect(text).toContain('<strong>Letter agent</strong>');
    expect(text).not.toContain('Your bank');
    expect(text).toContain(`<code>${new URL(other.clientId).host}</code>`);
    const revoke = '/account/applications/revoke';
    const { status } = await visitor.post(`/en${revoke}`, {
      ...formsOf(text).find(({ hidden }) => hidden.clientId === other.clientId)?.hidden,
      action: 'revoke',
    });
    expect([status, await statusOf(world, tokens.access_token)]).toEqual([303, 401]);
    await other.close();
  });

  test('the operator sees it, and can disable it for good', async () => {
    const other = await startMetadataServer('/disabled.json');
    const { verifier, address } = attempt({ client_id: other.clientId });
    const { location } = await visitor.send(address, path, { action: 'allow' });
    const code = new URL(location ?? 'none:').searchParams.get('code') ?? '';
    const form = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: verifier };
    const { body: tokens } = await post({ ...form, client_id: other.clientId });
    expect(await OAuthClient.findById(other.clientId).orFail().lean()).toMatchObject({
      name: 'Letter agent',
      mode: null,
      secretHashes: [],
    });
    await disableClient(other.clientId, new Date());
    const refresh = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token, client_id: other.clientId };
    expect((await post(refresh)).body.error).toBe('invalid_client');
    expect((await visitor.get(address)).status).toBe(400);
    await other.close();
  });
});
