import { beforeAll, describe, expect, test } from '@jest/globals';
import * as oauth from 'oauth4webapi';
import { type Application, anApplication, anOrganization, statusOf } from '../support/application.ts';
import { createClient } from '../support/client.ts';
import { startWorld } from '../support/world.ts';

const environment = { BASE_URL: 'https://api.bluejay.test', AUTH_URL: 'https://app.bluejay.test' };

describe('an application that knows nothing but the issuer', () => {
  const world = startWorld({ environment });
  let app: Application;
  let server: oauth.AuthorizationServer;
  /** To its public name, as a proxy would lead. */
  const options = {
    [oauth.customFetch]: (url: string, init: object) => fetch(url.replace(environment.BASE_URL, world.url), init),
  };
  beforeAll(async () => {
    app = await anApplication(world);
    const issuer = new URL(environment.BASE_URL);
    const response = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...options });
    server = await oauth.processDiscoveryResponse(issuer, response);
  });

  test('given the metadata document (RFC 8414), when it is read, then it says exactly this', async () => {
    const answer = await createClient(world.url).get('/.well-known/oauth-authorization-server');
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
    expect(answer.body).toEqual({
      issuer: 'https://api.bluejay.test',
      authorization_endpoint: 'https://app.bluejay.test/oauth/authorize',
      token_endpoint: 'https://api.bluejay.test/oauth/token',
      revocation_endpoint: 'https://api.bluejay.test/oauth/revoke',
      service_documentation: 'https://api.bluejay.test/docs',
      scopes_supported: ['read', 'send', 'webhooks', 'addresses', 'wallet'],
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
      revocation_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
      authorization_response_iss_parameter_supported: true,
    });
    const posted = await createClient(world.url).request('POST', '/.well-known/oauth-authorization-server');
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });

  const methods = {
    client_secret_basic: oauth.ClientSecretBasic,
    client_secret_post: oauth.ClientSecretPost,
  } as const;

  test.each(['client_secret_basic', 'client_secret_post'] as const)(
    'given %s, one of its methods, when oauth4webapi goes the whole way, then consent, tokens, call, refresh and revocation work (RFC 6749, 7636, 7009, 9207)',
    async (method) => {
      expect(server.token_endpoint_auth_methods_supported).toContain(method);
      const client: oauth.Client = { client_id: app.clientId };
      const proof = methods[method](app.secret);
      const [verifier, state] = [oauth.generateRandomCodeVerifier(), oauth.generateRandomState()];
      const query = new URLSearchParams({
        response_type: server.response_types_supported?.[0] ?? '',
        client_id: app.clientId,
        redirect_uri: app.redirectUri,
        scope: 'read wallet',
        state,
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: server.code_challenge_methods_supported?.[0] ?? '',
      });
      const back = await app.consent(await anOrganization(world), { verifier, query });
      // Refuses a wrong or missing iss or state.
      const parameters = oauth.validateAuthResponse(server, client, back, state);

      const { redirectUri } = app;
      const exchanged = await oauth.authorizationCodeGrantRequest(
        server,
        client,
        proof,
        parameters,
        redirectUri,
        verifier,
        options,
      );
      const tokens = await oauth.processAuthorizationCodeResponse(server, client, exchanged);
      expect(tokens).toMatchObject({ token_type: 'bearer', expires_in: 3600, scope: 'read wallet' });
      const url = new URL('/v1/wallet', server.issuer);
      const call = await oauth.protectedResourceRequest(tokens.access_token, 'GET', url, new Headers(), null, options);
      expect(await call.json()).toMatchObject({ balanceCents: 100_000 });

      const refreshed = await oauth.processRefreshTokenResponse(
        server,
        client,
        await oauth.refreshTokenGrantRequest(server, client, proof, tokens.refresh_token ?? '', options),
      );
      expect(await statusOf(world, refreshed.access_token)).toBe(200);
      const revocation = await oauth.revocationRequest(server, client, proof, refreshed.refresh_token ?? '', options);
      await oauth.processRevocationResponse(revocation);
      for (const { access_token } of [tokens, refreshed]) expect(await statusOf(world, access_token)).toBe(401);
    },
  );

  test('given each grant type and scope that it names, when they are used, then none is refused as unknown', async () => {
    for (const grantType of server.grant_types_supported ?? []) {
      expect((await app.token({ grant_type: grantType })).body.error_description).toContain('is missing');
    }
    for (const scope of server.scopes_supported ?? []) {
      expect(await app.authorize({ scopes: [scope as 'read'] })).toMatchObject({ scope });
    }
  });
});
