// Level: push

import { OAuthGrant } from '#common/access/grant.model.ts';
import { type AuthorizeOutcome, readAuthorizeRequest } from '#common/oauth/authorization/authorize.ts';
import { denyConsent } from '#common/oauth/authorization/consent.ts';
import { findRedirectUriProblem } from '#common/oauth/clients/redirect-uri.ts';
import { describe, expect, openOnce, test } from '#test/support/jest.ts';
import { anApplication, anAttempt, anOrganization } from '#test/support/product/application.ts';
import { startWorld } from '#test/support/product/world.ts';

const redirectUri = 'https://app.example:8443/back/here?from=bluejay';
const issuer = 'https://api.bluejay.test';
type Change = (query: URLSearchParams) => void;

describe('an authorize request', () => {
  const world = startWorld({ environment: { BASE_URL: issuer } });
  const app = openOnce(() => anApplication(world, { redirectUri, scopes: ['read', 'send'] }));
  const queryWith = (change: Change = () => {}, state = 'xyz'): URLSearchParams => {
    const { query } = anAttempt({ clientId: app.clientId, redirectUri, scopes: ['read', 'send'], state });
    change(query);
    return query;
  };
  const read = (query: URLSearchParams): Promise<AuthorizeOutcome> => readAuthorizeRequest(query, issuer);
  const redirected = (reading: AuthorizeOutcome): URL => {
    if (reading.kind !== 'redirect') throw new Error(`Not redirected: ${JSON.stringify(reading)}`);
    expect(reading.location.startsWith(`${redirectUri}&`)).toBe(true);
    return new URL(reading.location);
  };

  test('a valid request is parsed for the consent page (RFC 6749, 4.1.1; RFC 7636, 4.3)', async () => {
    const query = queryWith();
    expect(await read(query)).toEqual({
      kind: 'request',
      request: {
        client: {
          id: app.clientId,
          name: 'An app',
          mode: 'test',
          redirectUris: [redirectUri],
          scopes: ['read', 'send'],
        },
        redirectUri,
        scopes: ['read', 'send'],
        resource: null,
        state: 'xyz',
        challenge: query.get('code_challenge'),
      },
    });
  });

  test.each<[string, Change]>([
    ['no client_id', (query) => query.delete('client_id')],
    ['an empty client_id', (query) => query.set('client_id', '')],
    ['an unknown client_id', (query) => query.set('client_id', 'bjc_aaaaaaaaaaaaaaaa')],
    ['two client_ids', (query) => query.append('client_id', query.get('client_id') ?? '')],
  ])('%s gets an error page and no redirect (RFC 6749, 4.1.2.1)', async (_, change) => {
    expect(await read(queryWith(change))).toEqual({ kind: 'page-error', parameter: 'client_id' });
  });

  test.each([
    ['none', undefined],
    ['another host', 'https://evil.example:8443/back/here?from=bluejay'],
    ['a slash more', 'https://app.example:8443/back/here/?from=bluejay'],
    ['other case', 'https://app.example:8443/back/Here?from=bluejay'],
    ['another query', 'https://app.example:8443/back/here?from=bluejay&to=x'],
    ['no query', 'https://app.example:8443/back/here'],
    ['no port', 'https://app.example/back/here?from=bluejay'],
    ['a path with ..', 'https://app.example:8443/back/../back/here?from=bluejay'],
    ['a user name', 'https://app.example:8443@evil.example/back/here?from=bluejay'],
    ['encoding', 'https://app.example:8443/back/%68ere?from=bluejay'],
    ['a fragment', `${redirectUri}#x`],
    ['http', redirectUri.replace('https', 'http')],
    ['a space at the end', `${redirectUri} `],
  ])('a redirect_uri with %s gets an error page and no redirect (RFC 9700, 2.1)', async (_, uri) => {
    const change: Change = (query) =>
      uri === undefined ? query.delete('redirect_uri') : query.set('redirect_uri', uri);
    expect(await read(queryWith(change))).toEqual({ kind: 'page-error', parameter: 'redirect_uri' });
  });

  test('two valid redirect_uri parameters get an error page (RFC 6749, 3.1)', async () => {
    const reading = await read(queryWith((query) => query.append('redirect_uri', redirectUri)));
    expect(reading).toEqual({ kind: 'page-error', parameter: 'redirect_uri' });
  });

  const challenge =
    (text: string): Change =>
    (query) =>
      query.set('code_challenge', text);
  test.each<[string, string, Change]>([
    ['response_type=token', 'unsupported_response_type', (query) => query.set('response_type', 'token')],
    ['response_type=code token', 'unsupported_response_type', (query) => query.set('response_type', 'code token')],
    ['no response_type', 'invalid_request', (query) => query.delete('response_type')],
    ['response_mode=fragment', 'invalid_request', (query) => query.set('response_mode', 'fragment')],
    ['no challenge', 'invalid_request', (query) => query.delete('code_challenge')],
    ['a challenge of 42 characters', 'invalid_request', challenge('a'.repeat(42))],
    ['a challenge of 129 characters', 'invalid_request', challenge('a'.repeat(129))],
    ['a challenge with +', 'invalid_request', challenge(`${'a'.repeat(42)}+`)],
    ['a challenge with =', 'invalid_request', challenge(`${'a'.repeat(43)}=`)],
    ['the method plain', 'invalid_request', (query) => query.set('code_challenge_method', 'plain')],
    ['no method, which means plain', 'invalid_request', (query) => query.delete('code_challenge_method')],
    ['an unknown scope', 'invalid_scope', (query) => query.set('scope', 'read everything')],
    ['a scope that the application does not have', 'invalid_scope', (query) => query.set('scope', 'read wallet')],
    ['a scope of Object', 'invalid_scope', (query) => query.set('scope', '__proto__')],
    ['no scope', 'invalid_scope', (query) => query.delete('scope')],
    ['two scopes parameters', 'invalid_request', (query) => query.append('scope', 'read')],
    ['two challenges', 'invalid_request', (query) => query.append('code_challenge', 'a'.repeat(43))],
    ['an unknown parameter twice', 'invalid_request', (query) => ['1', '2'].forEach((v) => void query.append('x', v))],
  ])('%s redirects with %s, state and iss (RFC 6749, 4.1.2.1; RFC 7636; RFC 9207)', async (_, error, change) => {
    const { searchParams } = redirected(await read(queryWith(change)));
    expect(Object.fromEntries(searchParams)).toEqual({
      from: 'bluejay',
      error,
      error_description: expect.stringMatching(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/),
      state: 'xyz',
      iss: issuer,
    });
  });

  test('two states redirect with an error, no state returns none (RFC 6749, 4.1.2.1)', async () => {
    const twice = redirected(await read(queryWith((query) => query.append('state', 'abc')))).searchParams;
    expect([twice.get('error'), twice.has('state')]).toEqual(['invalid_request', false]);
    const without = await read(queryWith((query) => query.delete('state')));
    expect(without).toMatchObject({ kind: 'request', request: { state: null } });
  });

  const states = ['ünïcode ✓ 信 🐦', 'a'.repeat(512), '&code=x&=#?%2F+ "<b>\\', ' leading and trailing ', '%FF%00'];
  test.each(states)('the state %j is returned unchanged in every redirect (RFC 6749, 4.1.2)', async (state) => {
    const verifier = 'not needed';
    const query = queryWith(undefined, state);
    const back = await app.consent(await anOrganization(world), { verifier, query });
    const reading = await read(query);
    if (reading.kind !== 'request') throw new Error('The request was refused');
    const denied = new URL(denyConsent({ request: reading.request, issuer }));
    const failed = redirected(await read(queryWith((query) => query.set('scope', 'x'), state)));
    for (const { searchParams } of [back, denied, failed]) {
      expect([searchParams.get('state'), searchParams.get('iss')]).toEqual([state, issuer]);
    }
    expect(back.searchParams.get('code')).toMatch(/^bjo_[a-z2-7]{16}_[a-z2-7]{52}$/);
    expect([denied.searchParams.get('error'), denied.searchParams.has('code')]).toEqual(['access_denied', false]);
  });

  test('a consent is stored with all that was requested, and its code only as a hash', async () => {
    const organizationId = await anOrganization(world);
    const query = queryWith((query) => query.set('scope', 'read'));
    const back = await app.consent(organizationId, { verifier: 'not needed', query });
    const stored = await OAuthGrant.findOne({ organizationId }).orFail().lean();
    expect(stored).toMatchObject({
      clientId: app.clientId,
      userId: 'usr_1',
      mode: 'test',
      scopes: ['read'],
      code: { redirectUri, challenge: query.get('code_challenge'), usedAt: null },
      refresh: null,
      accessTokens: [],
    });
    expect(stored.code.expiresAt.getTime() - stored.createdAt.getTime()).toBe(60_000);
    expect(JSON.stringify(stored)).not.toContain(back.searchParams.get('code')?.split('_')[2]);
  });
});

describe('redirect URIs of OAuth clients', () => {
  test.each([
    'https://app.example/callback',
    'https://app.example',
    'https://app.example:8443/a?b=c',
    'https://xn--bcher-kva.example/',
  ])('%s may be registered in both modes', (uri) => {
    expect(findRedirectUriProblem(uri, 'live')).toBeNull();
    expect(findRedirectUriProblem(uri, 'test')).toBeNull();
  });

  const loopback = ['http://127.0.0.1:8080/callback', 'http://[::1]:8080/callback'];
  test.each(loopback)('the loopback address %s may be registered in test mode only', (uri) => {
    expect(findRedirectUriProblem(uri, 'test')).toBeNull();
    expect(findRedirectUriProblem(uri, 'live')).toContain('must begin with https://');
  });

  test.each([
    ['', 'absolute URI'],
    ['/callback', 'absolute URI'],
    [`https://app.example/${'a'.repeat(2_048)}`, 'absolute URI'],
    ['http://app.example/callback', 'must begin with https://'],
    ['http://localhost:8080/callback', 'must begin with https://'],
    ['http://127.0.0.1.example/callback', 'must begin with https://'],
    ['javascript:alert(1)', 'must begin with https://'],
    ['https://app.example/callback#part', 'fragment'],
    ['https://app.example/callback#', 'fragment'],
    ['https://user@app.example/callback', 'user name'],
    ['https://user:secret@app.example/callback', 'user name'],
    ['https://*.example/callback', 'wildcards'],
    ['HTTPS://app.example/callback', 'as it is called: https://app.example/callback'],
    ['https://APP.example/callback', 'as it is called'],
    ['https://app.example:443/callback', 'as it is called'],
    ['https://app.example/a/../callback', 'as it is called'],
    ['https://app;script-src.example/', 'letters, digits, dots and dashes'],
    [' https://app.example/callback', 'as it is called'],
  ])('%j cannot be registered', (uri, reason) => {
    expect(findRedirectUriProblem(uri, 'test')).toContain(reason);
  });
});
