// Level: push
import { createHash } from 'node:crypto';
import * as oauth from 'oauth4webapi';
import { authenticateClient } from '#common/oauth/clients/authenticate-client.ts';
import { disableClient } from '#common/oauth/clients/change-client.ts';
import { beforeAll, describe, expect, openOnce, test } from '#test/support/jest.ts';
import { type Application, anApplication, anOrganization, statusOf } from '#test/support/product/application.ts';
import { createClient } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';

const environment = { BASE_URL: 'https://api.bluejay.test', AUTH_URL: 'https://app.bluejay.test' };

describe('an application that knows only the issuer', () => {
  const world = startWorld({ environment });
  let app: Application;
  let server: oauth.AuthorizationServer;
  /** Rewrites a URL to the public name, as a proxy would. */
  const options = {
    [oauth.customFetch]: (url: string, init: object) => fetch(url.replace(environment.BASE_URL, world.url), init),
  };
  beforeAll(async () => {
    app = await anApplication(world);
    const issuer = new URL(environment.BASE_URL);
    const response = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...options });
    server = await oauth.processDiscoveryResponse(issuer, response);
  });

  test('the metadata document has exactly these fields (RFC 8414)', async () => {
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
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
      revocation_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
      protected_resources: ['https://api.bluejay.test/mcp'],
    });
    const posted = await createClient(world.url).request('POST', '/.well-known/oauth-authorization-server');
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });

  const methods = {
    client_secret_basic: oauth.ClientSecretBasic,
    client_secret_post: oauth.ClientSecretPost,
  } as const;

  test.each(['client_secret_basic', 'client_secret_post'] as const)(
    'oauth4webapi completes the whole flow with %s (RFC 6749, 7636, 7009, 9207)',
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
      // Rejects a wrong or missing `iss` or `state`.
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

  test('every listed grant type and scope is accepted', async () => {
    for (const grantType of server.grant_types_supported ?? []) {
      expect((await app.token({ grant_type: grantType })).body.error_description).toContain('is missing');
    }
    for (const scope of server.scopes_supported ?? []) {
      expect(await app.authorize({ scopes: [scope as 'read'] })).toMatchObject({ scope });
    }
  });
});

describe('what the OAuth routes reveal', () => {
  const world = startWorld();
  const app = openOnce(() => anApplication(world));

  test('wrong secret, unknown and disabled client get the same work and words (RFC 6749, 10.2)', async () => {
    const hashesFor = async (clientId: string, secret: string): Promise<[number, string]> => {
      let count = 0;
      const hash = (text: string) => {
        count += 1;
        return createHash('sha256').update(text).digest('hex');
      };
      const parameters = new Map([
        ['client_id', clientId],
        ['client_secret', secret],
      ]);
      const outcome = await authenticateClient({ authorization: undefined, parameters, at: new Date() }, hash).then(
        () => 'let in',
        (error: Error) => error.message,
      );
      return [count, outcome];
    };
    const right = await hashesFor(app.clientId, app.secret);
    const wrong = await hashesFor(app.clientId, 'a'.repeat(52));
    const unknown = await hashesFor('bjc_aaaaaaaaaaaaaaaa', app.secret);
    expect(right).toEqual([1, 'let in']);
    expect(wrong).toEqual([1, expect.stringContaining('unknown')]);
    expect(unknown).toEqual(wrong);
    const ended = await anApplication(world);
    await disableClient(ended.clientId, new Date());
    expect(await hashesFor(ended.clientId, ended.secret)).toEqual(wrong);
  });
});
