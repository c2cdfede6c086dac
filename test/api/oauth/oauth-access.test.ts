// Level: push
import { listGrants } from '#common/oauth/authorization/list-grants.ts';
import { disableClient } from '#common/oauth/clients/change-client.ts';
import { revokeGrantsOf } from '#common/oauth/tokens/revoke-grants.ts';
import type { TokenResponse } from '#common/oauth/tokens/token-response.ts';
import { describe, expect, openOnce, standingClock, test } from '#test/support/jest.ts';
import { anApplication, anOrganization, statusOf } from '#test/support/product/application.ts';
import { aSender, createClient, ledgerOf } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';

describe('an access token at the API', () => {
  const clock = standingClock();
  const world = startWorld({ clock, environment: { RATE_LIMIT_WRITE_PER_MINUTE: '7', RATE_LIMIT_BURST: '5' } });
  const app = openOnce(() => anApplication(world));
  const liveApp = openOnce(() => anApplication(world, { mode: 'live' }));

  test('no valid access token in the right place is 401 UNAUTHORIZED (RFC 6750, 2 and 3.1)', async () => {
    const { access_token: token, refresh_token: refreshToken } = await app.authorize();
    const asked = async (headers: Record<string, string>, path = '/v1/wallet') => {
      const { status, headers: answered, body } = await createClient(world.url).get(path, headers);
      expect(body.message).toMatch(/access token/);
      return [status, body.code, answered.get('www-authenticate')];
    };
    const bearer = (text: string) => ({ authorization: `Bearer ${text}` });
    const flipped = token.slice(0, -1) + (token.endsWith('a') ? 'b' : 'a');
    const wrong = [
      await asked(bearer(refreshToken)),
      await asked(bearer(flipped)),
      await asked(bearer(token.replace('bja_', 'bjr_'))),
      await asked(bearer(token.replace('bja_', 'bjk_'))),
      await asked(bearer(token.replace('bja_', ''))),
      await asked(bearer(refreshToken.replace('bjr_', 'bja_').slice(0, token.length))),
      await asked(bearer(`bja_${'a'.repeat(16)}_${'a'.repeat(52)}`)),
      await asked({ 'x-api-key': token }),
      await asked({ authorization: `Basic ${token}` }),
      await asked({}, `/v1/wallet?access_token=${token}`),
    ];
    for (const [index, answer] of wrong.entries()) {
      const challenge = index < 8 ? 'Bearer error="invalid_token"' : 'Bearer';
      expect(answer).toEqual([401, 'UNAUTHORIZED', challenge]);
    }
    expect((await createClient(world.url, token).get('/v1/wallet')).status).toBe(200);
  });

  test.each([
    ['read', '/v1/mails', 200],
    ['read', '/v1/wallet', 403],
    ['wallet', '/v1/wallet', 200],
    ['wallet', '/v1/mails', 403],
    ['addresses', '/v1/addresses', 200],
    ['webhooks', '/v1/webhooks', 403],
  ] as const)('a token with only the scope %s gets %s with %i (RFC 6750, 3.1)', async (scope, path, status) => {
    const { access_token } = await app.authorize({ scopes: [scope] });
    const answer = await createClient(world.url, access_token).get(path);
    expect([answer.status, answer.body.code]).toEqual([status, status === 403 ? 'FORBIDDEN' : undefined]);
  });

  test('each customer of an application pays for its own letters and sees only those', async () => {
    const [anna, bert] = [await aSender(world), await aSender(world)];
    const appFor = async ({ organizationId }: { organizationId: string }) =>
      createClient(world.url, (await app.authorize({ organizationId })).access_token);
    const [forAnna, forBert] = [await appFor(anna), await appFor(bert)];

    const { status, body: letter } = await forAnna.post('/v1/mails', await anna.letter());
    expect(status).toBe(201);
    expect(await anna.balanceCents()).toBe(100_000 - letter.totalCents);
    expect((await ledgerOf(anna)).at(-1)).toMatchObject({ kind: 'debit', mailJobId: letter.mailJobId });
    expect(await bert.balanceCents()).toBe(100_000);

    expect((await forBert.get(`/v1/mails/${letter.mailJobId}`)).status).toBe(404);
    expect((await forBert.get('/v1/mails')).body.data).toEqual([]);
    expect((await forBert.post('/v1/mails', await anna.letter())).status).toBe(400);
    expect((await anna.http.get(`/v1/mails/${letter.mailJobId}`)).status).toBe(200);
    const moved = await forAnna.post(`/v1/mails/${letter.mailJobId}/simulate`, { to: 'failed' });
    expect([moved.status, await anna.balanceCents()]).toEqual([200, 100_000]);
  });

  test('the token of a live application works in live mode only', async () => {
    const customer = await world.customer();
    const { access_token } = await liveApp.authorize({ organizationId: customer.organizationId });
    const http = createClient(world.url, access_token);
    expect((await http.get('/v1/wallet')).body).toMatchObject({ mode: 'live', balanceCents: 0 });
    expect((await http.post('/v1/mails/mj_x/simulate')).status).toBe(403);
  });

  test('the quota of a grant covers its refreshed tokens, not other customers', async () => {
    const [first, second] = [await app.authorize(), await app.authorize()];
    const quote = { zone: 'NATIONAL', serviceType: 'standard', pages: 1 };
    const post = async (token: string) => (await createClient(world.url, token).post('/v1/quote', quote)).status;
    const statuses = [];
    for (let request = 0; request < 6; request += 1) statuses.push(await post(first.access_token));
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
    const { body: refreshed } = await app.refresh(first.refresh_token);
    expect(await post(refreshed.access_token)).toBe(429);
    expect(await post(second.access_token)).toBe(200);
  });
});

describe('the revocation of grants', () => {
  const world = startWorld();
  const app = openOnce(() => anApplication(world));
  const other = openOnce(() => anApplication(world));
  const refreshError = async ({ refresh_token }: TokenResponse, by = app) =>
    (await by.refresh(refresh_token)).body.error ?? null;

  test('revoking an access token leaves the refresh token valid (RFC 7009, 2.1)', async () => {
    const first = await app.authorize();
    const { status, headers, body } = await app.revoke({ token: first.access_token });
    expect([status, body, headers.get('cache-control')]).toEqual([200, undefined, 'no-store']);
    expect(await statusOf(world, first.access_token)).toBe(401);
    expect(await refreshError(first)).toBeNull();
  });

  test('revoking a refresh token, current or spent, ends the whole grant (RFC 7009, 2.1)', async () => {
    const live = await app.authorize();
    expect((await app.revoke({ token: live.refresh_token })).status).toBe(200);
    expect([await statusOf(world, live.access_token), await refreshError(live)]).toEqual([401, 'invalid_grant']);

    const spent = await app.authorize();
    const { body: next } = await app.refresh(spent.refresh_token);
    expect((await app.revoke({ token: spent.refresh_token })).status).toBe(200);
    expect([await statusOf(world, next.access_token), await refreshError(next)]).toEqual([401, 'invalid_grant']);
  });

  test('a wrong or unknown token_type_hint makes no difference (RFC 7009, 2.1)', async () => {
    for (const hint of ['refresh_token', 'access_token', 'pizza']) {
      const [one, two] = [await app.authorize(), await app.authorize()];
      for (const token of [one.access_token, two.refresh_token]) {
        expect((await app.revoke({ token, token_type_hint: hint })).status).toBe(200);
      }
      expect(await statusOf(world, one.access_token)).toBe(401);
      expect(await refreshError(one)).toBeNull();
      expect(await statusOf(world, two.access_token)).toBe(401);
    }
  });

  test('revoking an unknown or foreign token is 200 without effect (RFC 7009, 2.1 and 2.2)', async () => {
    const mine = await app.authorize();
    const madeUp = mine.refresh_token.slice(0, -1) + (mine.refresh_token.endsWith('a') ? 'b' : 'a');
    for (const token of ['unknown', 'bja_x', madeUp]) expect((await app.revoke({ token })).status).toBe(200);
    for (const token of [mine.access_token, mine.refresh_token])
      expect((await other.revoke({ token })).status).toBe(200);
    expect(await statusOf(world, mine.access_token)).toBe(200);
    expect(await refreshError(mine)).toBeNull();
  });

  test('revoking without a client, with a wrong one or no token is 401, 401, 400 (RFC 7009, 2.1)', async () => {
    const { access_token: token } = await app.authorize();
    const answers = [
      await app.post('/oauth/revoke', { token }),
      await app.post('/oauth/revoke', { token, client_id: app.clientId, client_secret: other.secret }),
      await app.revoke({}),
    ];
    expect(answers.map(({ status, body }) => [status, body.error])).toEqual([
      [401, 'invalid_client'],
      [401, 'invalid_client'],
      [400, 'invalid_request'],
    ]);
    expect(await statusOf(world, token)).toBe(200);
  });

  test('ending an application ends all grants of the organization, unused codes too, no others', async () => {
    const organizationId = await anOrganization(world);
    const own = [await app.authorize({ organizationId, scopes: ['read'] }), await app.authorize({ organizationId })];
    const pending = await app.codeForm(organizationId);
    const foreign = await app.authorize();
    const otherApp = await other.authorize({ organizationId });
    const listed = await listGrants(organizationId, new Date());
    expect(listed.map(({ clientId, name, grantCount, mode }) => [clientId, name, grantCount, mode])).toEqual([
      [other.clientId, 'An app', 1, 'test'],
      [app.clientId, 'An app', 2, 'test'],
    ]);
    expect(listed[1]).toMatchObject({ userIds: ['usr_1'], scopes: expect.arrayContaining(['read', 'send']) });

    expect(await revokeGrantsOf({ clientId: app.clientId, organizationId }, new Date())).toBe(3);
    for (const tokens of own) {
      expect([await statusOf(world, tokens.access_token), await refreshError(tokens)]).toEqual([401, 'invalid_grant']);
    }
    expect((await app.token(pending)).body.error).toBe('invalid_grant');
    expect(await statusOf(world, foreign.access_token)).toBe(200);
    expect(await statusOf(world, otherApp.access_token)).toBe(200);
    expect((await listGrants(organizationId, new Date())).map(({ clientId }) => clientId)).toEqual([other.clientId]);
  });

  test('a disabled application has no valid tokens and cannot ask for consent', async () => {
    const ended = await anApplication(world);
    const organizationId = await anOrganization(world);
    const tokens = await ended.authorize({ organizationId });
    expect((await disableClient(ended.clientId, new Date())).revokedGrantCount).toBe(1);
    expect(await statusOf(world, tokens.access_token)).toBe(401);
    expect(await refreshError(tokens, ended)).toBe('invalid_client');
    await expect(ended.codeForm(organizationId)).rejects.toThrow('"page-error"');
  });
});
