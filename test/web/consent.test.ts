// Level: push
import * as oauth from 'oauth4webapi';
import { languages } from '#common/languages.ts';
import { readOrganization } from '#common/organizations/read-organizations.ts';
import { describe, expect, openOnce, test } from '../support/jest.ts';
import { anApplication, anAttempt } from '../support/product/application.ts';
import { createVisitor, formsOf, startWebHost, type Visitor } from '../support/web/web-host.ts';

const issuer = 'https://api.bluejay.test';
const path = '/oauth/authorize';
const state = 'ünïcode & "quotes" <b> 信 +%20';

describe('the consent page', () => {
  const { world, host } = startWebHost({ environment: { BASE_URL: issuer } });
  const app = openOnce(() => anApplication(world));
  /** Signed in once, because password checks are slow by design. */
  const visitor = openOnce(() => host.signedIn());

  const attempt = (application = app) => {
    const { clientId, redirectUri } = application;
    const made = anAttempt({ clientId, redirectUri, scopes: ['read', 'send'], state });
    return { ...made, address: `${path}?${made.query}` };
  };
  const backTo = (location: string | null) => new URL(location ?? 'none:');

  test("after consent the code yields tokens for the user's wallet (RFC 6749, 4.1; RFC 9207)", async () => {
    const { verifier, address } = attempt();
    const [newcomer, user] = [host.visitor(), await host.makeUser()];
    const first = await newcomer.get(address);
    expect([first.status, first.location]).toEqual([303, expect.stringMatching(/^\/en\/sign-in\?next=/)]);
    const signedIn = await newcomer.signIn(user, first.location ?? '');
    expect([signedIn.status, signedIn.location]).toEqual([303, `/en${address}`]);
    const allowed = await newcomer.send(signedIn.location ?? '', path, { action: 'allow' });
    expect(allowed.status).toBe(303);
    expect(allowed.location?.startsWith(`${app.redirectUri}&code=`)).toBe(true);

    const server = {
      issuer,
      token_endpoint: `${issuer}/oauth/token`,
      authorization_response_iss_parameter_supported: true,
    };
    const client = { client_id: app.clientId };
    const parameters = oauth.validateAuthResponse(server, client, backTo(allowed.location), state);
    const { body: tokens } = await app.token({
      grant_type: 'authorization_code',
      code: parameters.get('code') ?? '',
      redirect_uri: app.redirectUri,
      code_verifier: verifier,
    });
    expect(tokens.scope).toBe('read send');
    const quote = { zone: 'NATIONAL', serviceType: 'standard', pages: 1 };
    const priced = await fetch(`${world.url}/v1/quote`, {
      method: 'POST',
      headers: { authorization: `Bearer ${tokens.access_token}`, 'content-type': 'application/json' },
      body: JSON.stringify(quote),
    });
    expect(priced.status).toBe(200);
  });

  test('denial returns access_denied with state and iss (RFC 6749, 4.1.2.1)', async () => {
    const { location, status } = await visitor.send(attempt().address, path, { action: 'deny' });
    expect(status).toBe(303);
    expect(Object.fromEntries(backTo(location).searchParams)).toEqual({
      from: 'bluejay',
      error: 'access_denied',
      state,
      iss: issuer,
    });
  });

  test('every authorize request asks for consent', async () => {
    for (const action of ['allow', 'allow']) {
      expect((await visitor.send(attempt().address, path, { action })).location).toContain('code=');
    }
  });

  test.each(languages)('the page in %s names application, scopes, wallet and redirect host', async (language) => {
    const { status, headers, text } = await visitor.get(`/${language}${attempt().address}`);
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(text).toContain(`<html lang="${language}">`);
    expect(text.match(/<h1>[^<]*An app[^<]*<\/h1>/g)).toHaveLength(1);
    expect(text.match(/<li>[^<]+<code>(read|send)<\/code><\/li>/g)).toHaveLength(2);
    const { name } = await readOrganization(visitor.user.organizationId);
    for (const words of [visitor.user.email, name, 'app.example', /[Ww]allet|portefeuille|tegoed|[Gg]uthaben/]) {
      expect(text).toMatch(words);
    }
    expect(text.match(/name="action" value="(allow|deny)"/g)).toHaveLength(2);
    expect(text.match(/name="_csrf"/g)).toHaveLength(1);
  });

  test('the page cannot be framed and its form leads only to the application (RFC 9700, 4.16)', async () => {
    const { headers } = await visitor.get(attempt().address);
    const policy = headers.get('content-security-policy') ?? '';
    for (const part of ["frame-ancestors 'none'", "object-src 'none'", "base-uri 'none'"])
      expect(policy).toContain(part);
    expect(policy).toContain("form-action 'self' https://app.example;");
    expect(policy).not.toContain('unsafe-inline');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('access-control-allow-origin')).toBeNull();
    const local = await anApplication(world, { redirectUri: 'http://127.0.0.1:8080/callback' });
    const other = (await visitor.get(attempt(local).address)).headers.get('content-security-policy');
    expect(other).toContain("form-action 'self' http://127.0.0.1:8080;");
  });

  test('missing, forged, foreign and reused CSRF tokens are 403 (RFC 9700, 4.7)', async () => {
    const stranger = host.visitor();
    await stranger.signIn(visitor.user);
    const { address } = attempt();
    const hiddenFor = async (who: Visitor) => formsOf((await who.get(address)).text)[0]?.hidden ?? {};
    const { _csrf: own = '', request = '' } = await hiddenFor(visitor);
    const { _csrf: foreign = '' } = await hiddenFor(stranger);
    const { cookies } = visitor;
    const post = (token: Record<string, string>, headers = {}) =>
      visitor.post(path, { request, action: 'allow', ...token }, headers);
    const refused = [
      await post({}),
      await post({ _csrf: 'made-up' }),
      await post({ _csrf: foreign }),
      await post({ _csrf: own }, { origin: 'https://evil.example' }),
      await createVisitor(host.url).post(path, { request, action: 'allow', _csrf: own }),
    ];
    for (const { status, location } of refused) expect([status, location]).toEqual([403, null]);
    expect(cookies.size).toBeGreaterThan(0);
    expect((await post({ _csrf: own })).location).toContain('code=');
    expect((await post({ _csrf: own })).status).toBe(403);
  });

  test('a form without a decision is shown again with an error', async () => {
    const { status, text } = await visitor.send(attempt().address, path, {});
    expect([status, text.match(/role="alert"/g)?.length]).toEqual([400, 1]);
    expect(text).toContain('value="allow"');
  });

  test('after an expired session the user signs in and is asked again', async () => {
    const leaver = host.visitor();
    await leaver.signIn(visitor.user);
    const { address } = attempt();
    const hidden = formsOf((await leaver.get(address)).text)[0]?.hidden ?? {};
    const elsewhere = createVisitor(host.url, new Map(leaver.cookies));
    await elsewhere.send('/account', '/sign-out', {});
    const { status, location } = await leaver.post(path, { ...hidden, action: 'allow' });
    expect([status, location]).toEqual([303, expect.stringMatching(/^\/en\/sign-in\?next=/)]);
    expect(new URL(location ?? '', host.url).searchParams.get('next')).toBe(`/en${address}`);
  });

  test.each([
    ['an unknown client_id', 'client_id', 'bjc_aaaaaaaaaaaaaaaa'],
    ['another redirect_uri', 'redirect_uri', 'https://evil.example/'],
  ])('%s is 400 without a redirect (RFC 6749, 4.1.2.1)', async (_, name, value) => {
    const { query } = attempt();
    const [{ hidden = {} } = {}] = formsOf((await visitor.get(`${path}?${query}`)).text);
    query.set(name, value);
    const answers = [
      await host.visitor().get(`${path}?${query}`),
      await visitor.get(`/de${path}?${query}`),
      await visitor.post(path, { ...hidden, request: `${query}`, action: 'allow' }),
    ];
    for (const { status, location, text } of answers) {
      expect([status, location]).toEqual([400, null]);
      expect(text).not.toMatch(/(href|action)="https?:/);
      expect(text.match(/<h1>/g)).toHaveLength(1);
    }
  });

  test('other errors are returned to the application without a sign-in (RFC 6749, 4.1.2.1)', async () => {
    const { query } = attempt();
    query.set('code_challenge_method', 'plain');
    const { status, location } = await host.visitor().get(`/fr${path}?${query}`);
    const { searchParams } = backTo(location);
    expect([status, searchParams.get('error'), searchParams.get('state')]).toEqual([303, 'invalid_request', state]);
  });
});
