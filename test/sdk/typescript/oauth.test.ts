// Level: push
import { Bluejay, BluejayOAuth, OAuthError } from '#scripts/sdk/typescript/src/index.ts';
import { describe, expect, test } from '#test/support/jest.ts';
import { type Application, anApplication, anOrganization } from '#test/support/product/application.ts';
import { startWorld } from '#test/support/product/world.ts';

describe('the OAuth helper', () => {
  const world = startWorld();

  function helperOf(app: Application, options: { fetch?: typeof fetch } = {}): BluejayOAuth {
    const { clientId, secret: clientSecret, redirectUri } = app;
    const urls = { baseUrl: world.url, authUrl: 'https://app.example.com' };
    return new BluejayOAuth({ clientId, clientSecret, redirectUri, ...urls, ...options });
  }

  /** Consents as the user of a new organization, and returns the URL that the browser comes back to. */
  async function consent(app: Application, oauth: BluejayOAuth) {
    const request = await oauth.authorizationUrl({ scopes: ['read', 'wallet'] });
    const query = new URL(request.url).searchParams;
    const callback = await app.consent(await anOrganization(world), { verifier: request.codeVerifier, query });
    return { request, callback };
  }

  test('a user consents, and the client acts for them', async () => {
    const app = await anApplication(world);
    const oauth = helperOf(app);
    const { request, callback } = await consent(app, oauth);
    expect(request.url).toMatch(/^https:\/\/app\.example\.com\/oauth\/authorize\?response_type=code/);
    const tokens = await oauth.exchangeCode({
      code: callback.searchParams.get('code') ?? '',
      codeVerifier: request.codeVerifier,
    });
    const bluejay = new Bluejay({ apiKey: tokens.access_token, baseUrl: world.url });
    expect(await bluejay.wallet.get()).toMatchObject({ mode: 'test' });
    await oauth.revoke(tokens.refresh_token);
    await expect(bluejay.wallet.get()).rejects.toMatchObject({ status: 401 });
  });

  test('a callback of another request, of another issuer or with a refusal is not exchanged', async () => {
    const app = await anApplication(world);
    const oauth = helperOf(app);
    const { request, callback } = await consent(app, oauth);
    callback.searchParams.set('iss', world.url);
    const refused = new URL(`${app.redirectUri}&error=access_denied&state=${request.state}`);
    const foreign = new URL(callback);
    foreign.searchParams.set('iss', 'https://evil.example');
    for (const [url, state, code] of [
      [callback, 'another', 'invalid_state'],
      [foreign, request.state, 'invalid_state'],
      [refused, request.state, 'access_denied'],
    ] as const) {
      await expect(oauth.exchangeCallback(url, { ...request, state })).rejects.toMatchObject({ code });
    }
    expect(await oauth.exchangeCallback(callback, request)).toMatchObject({ token_type: 'Bearer' });
    await expect(oauth.exchangeCallback(callback, request)).rejects.toThrow(OAuthError);
  });

  test('a refresh whose answer was lost is repeated and returns the same tokens', async () => {
    const app = await anApplication(world);
    let posts = 0;
    const losing: typeof fetch = async (...args) => {
      const response = await fetch(...args);
      posts += 1;
      if (posts > 1) return response;
      await response.text();
      throw new TypeError('fetch failed');
    };
    const { refresh_token } = await app.authorize();
    const tokens = await helperOf(app, { fetch: losing }).refresh(refresh_token);
    expect(posts).toBe(2);
    expect((await helperOf(app).refresh(tokens.refresh_token)).access_token).toMatch(/^bja_/);
  });
});
