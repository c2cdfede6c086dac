import { beforeAll, describe, expect, test } from '@jest/globals';
import { disableClient } from '../../common/oauth/change-client.ts';
import { listGrants } from '../../common/oauth/list-grants.ts';
import { revokeGrantsOf } from '../../common/oauth/revoke-grants.ts';
import type { TokenAnswer } from '../../common/oauth/token-answer.ts';
import { type Application, anApplication, anOrganization, statusOf } from '../support/application.ts';
import { startWorld } from '../support/world.ts';

describe('the end of a grant', () => {
  const world = startWorld();
  let app: Application;
  let other: Application;
  beforeAll(async () => {
    app = await anApplication(world);
    other = await anApplication(world);
  });
  const refreshError = async ({ refresh_token }: TokenAnswer, by = app) =>
    (await by.refresh(refresh_token)).body.error ?? null;

  test('given an access token, when it is revoked (RFC 7009, 2.1), then it is dead, and the refresh token lives', async () => {
    const first = await app.authorize();
    const { status, headers, body } = await app.revoke({ token: first.access_token });
    expect([status, body, headers.get('cache-control')]).toEqual([200, undefined, 'no-store']);
    expect(await statusOf(world, first.access_token)).toBe(401);
    expect(await refreshError(first)).toBeNull();
  });

  test('given a refresh token, live or just spent, when it is revoked (RFC 7009, 2.1), then all of its grant is dead', async () => {
    const live = await app.authorize();
    expect((await app.revoke({ token: live.refresh_token })).status).toBe(200);
    expect([await statusOf(world, live.access_token), await refreshError(live)]).toEqual([401, 'invalid_grant']);

    const spent = await app.authorize();
    const { body: next } = await app.refresh(spent.refresh_token);
    expect((await app.revoke({ token: spent.refresh_token })).status).toBe(200);
    expect([await statusOf(world, next.access_token), await refreshError(next)]).toEqual([401, 'invalid_grant']);
  });

  test('given the wrong hint, or an unknown one, when tokens are revoked (RFC 7009, 2.1), then it does not matter', async () => {
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

  test('given an unknown or foreign token, when it is revoked (RFC 7009, 2.1 and 2.2), then 200, and nothing has happened', async () => {
    const mine = await app.authorize();
    const madeUp = mine.refresh_token.slice(0, -1) + (mine.refresh_token.endsWith('a') ? 'b' : 'a');
    for (const token of ['unknown', 'bja_x', madeUp]) expect((await app.revoke({ token })).status).toBe(200);
    for (const token of [mine.access_token, mine.refresh_token])
      expect((await other.revoke({ token })).status).toBe(200);
    expect(await statusOf(world, mine.access_token)).toBe(200);
    expect(await refreshError(mine)).toBeNull();
  });

  test('given no client, a wrong one or no token (RFC 7009, 2.1), when it is revoked, then 401, 401 and 400', async () => {
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

  test('given several grants of one organization, when its user ends the application, then all are dead at once, an unused code too, and those of others live', async () => {
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

  test('given an application that the operator disables, when its tokens are used, then all are dead, and it asks nobody any more', async () => {
    const ended = await anApplication(world);
    const organizationId = await anOrganization(world);
    const tokens = await ended.authorize({ organizationId });
    expect((await disableClient(ended.clientId, new Date())).revokedGrantCount).toBe(1);
    expect(await statusOf(world, tokens.access_token)).toBe(401);
    expect(await refreshError(tokens, ended)).toBe('invalid_client');
    await expect(ended.codeForm(organizationId)).rejects.toThrow('"page-error"');
  });
});
