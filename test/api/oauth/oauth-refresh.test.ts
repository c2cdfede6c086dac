// Level: push

import { OAuthGrant } from '#common/access/grant.model.ts';
import { OAuthClient } from '#common/oauth/client.model.ts';
import { lifetimes } from '#common/oauth/lifetimes.ts';
import { describe, expect, openOnce, standingClock, test } from '#test/support/jest.ts';
import { anApplication, statusOf } from '#test/support/product/application.ts';
import { startWorld } from '#test/support/product/world.ts';

const dayMs = 24 * 60 * 60 * 1_000;

describe('POST /oauth/token with a refresh token', () => {
  const clock = standingClock();
  const world = startWorld({ clock });
  const app = openOnce(() => anApplication(world));
  const other = openOnce(() => anApplication(world));
  const isRefused = async (refreshToken: string, by = app) => {
    const { status, body } = await by.refresh(refreshToken);
    expect([status, body.error]).toEqual([400, 'invalid_grant']);
  };
  const replays = async () => {
    const { values } = (await world.registry.getSingleMetric('oauth_reuse_detected_total')?.get()) ?? {};
    return values?.[0]?.value ?? 0;
  };

  test('a refresh returns a new pair, and both access tokens keep their hour (RFC 6749, 6)', async () => {
    const first = await app.authorize();
    const { status, headers, body: second } = await app.refresh(first.refresh_token);
    expect([status, second.token_type, second.expires_in, second.scope]).toEqual([200, 'Bearer', 3600, first.scope]);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(new Set([first.access_token, first.refresh_token, second.access_token, second.refresh_token]).size).toBe(4);
    clock.advance(lifetimes.accessTokenMs - 1);
    for (const { access_token } of [first, second]) expect(await statusOf(world, access_token)).toBe(200);
    clock.advance(1);
    for (const { access_token } of [first, second]) expect(await statusOf(world, access_token)).toBe(401);
  });

  test('a repeat within 30 s returns the same pair, later it ends the grant (RFC 9700, 4.14.2)', async () => {
    const { refresh_token } = await app.authorize();
    const { body: pair } = await app.refresh(refresh_token);
    clock.advance(lifetimes.graceMs - 1);
    const again = await app.refresh(refresh_token);
    expect([again.status, again.body]).toEqual([200, { ...pair, expires_in: 3571 }]);
    const before = await replays();
    clock.advance(1);
    await isRefused(refresh_token);
    expect(await statusOf(world, pair.access_token)).toBe(401);
    await isRefused(pair.refresh_token);
    expect(await replays()).toBe(before + 1);
  });

  test('a repeat after the successor was used ends the grant (RFC 9700, 4.14.2)', async () => {
    const first = await app.authorize();
    const { body: second } = await app.refresh(first.refresh_token);
    const { body: third } = await app.refresh(second.refresh_token);
    clock.advance(5_000);
    await isRefused(first.refresh_token);
    expect(await statusOf(world, third.access_token)).toBe(401);
    await isRefused(third.refresh_token);
  });

  test('a token of many rotations ago ends the grant, an invented one changes nothing', async () => {
    const first = await app.authorize();
    let last = first;
    for (let rotation = 0; rotation < 5; rotation += 1) last = (await app.refresh(last.refresh_token)).body;
    const letter = last.refresh_token.at(-1) === 'a' ? 'b' : 'a';
    await isRefused(last.refresh_token.slice(0, -1) + letter);
    await isRefused(last.refresh_token.replace(/_.{4}(?=[a-z2-7]{64}$)/, '_aaaa'));
    expect(await statusOf(world, last.access_token)).toBe(200);
    await isRefused(first.refresh_token);
    expect(await statusOf(world, last.access_token)).toBe(401);
  });

  test('a token presented by another client is invalid_grant and stays valid (RFC 6749, 10.4)', async () => {
    const first = await app.authorize();
    await isRefused(first.refresh_token, other);
    const { body: second } = await app.refresh(first.refresh_token);
    clock.advance(60_000);
    await isRefused(first.refresh_token, other);
    expect(await statusOf(world, second.access_token)).toBe(200);
    expect((await app.refresh(second.refresh_token)).status).toBe(200);
  });

  test('a refresh token expires 60 days after its issue (RFC 9700, 4.14.2)', async () => {
    const [first, idle] = [await app.authorize(), await app.authorize()];
    clock.advance(60 * dayMs - 1);
    const { status, body: second } = await app.refresh(first.refresh_token);
    expect(status).toBe(200);
    clock.advance(1);
    await isRefused(idle.refresh_token);
    clock.advance(60 * dayMs - 2);
    expect((await app.refresh(second.refresh_token)).status).toBe(200);
  });

  test('a grant ends after a year, however often it is refreshed', async () => {
    let { refresh_token } = await app.authorize();
    for (const days of [59, 59, 59, 59, 59, 59]) {
      clock.advance(days * dayMs);
      refresh_token = (await app.refresh(refresh_token)).body.refresh_token;
    }
    clock.advance(11 * dayMs - 1);
    const { body: last } = await app.refresh(refresh_token);
    expect(await statusOf(world, last.access_token)).toBe(200);
    clock.advance(1);
    expect(await statusOf(world, last.access_token)).toBe(401);
    await isRefused(last.refresh_token);
  });

  test('fewer scopes apply to this access token only, not to the next (RFC 6749, 6)', async () => {
    const first = await app.authorize({ scopes: ['read', 'wallet'] });
    const { body: narrow } = await app.refresh(first.refresh_token, 'read');
    expect(narrow.scope).toBe('read');
    expect(await statusOf(world, narrow.access_token, '/v1/wallet')).toBe(403);
    expect(await statusOf(world, narrow.access_token, '/v1/mails')).toBe(200);
    const { body: full } = await app.refresh(narrow.refresh_token);
    expect(full.scope).toBe('read wallet');
    expect(await statusOf(world, full.access_token, '/v1/wallet')).toBe(200);
  });

  test.each(['read send', 'send', 'everything', 'read everything'])(
    'the scope %s beyond the grant is invalid_scope and spends nothing (RFC 6749, 6)',
    async (scope) => {
      const { refresh_token } = await app.authorize({ scopes: ['read', 'wallet'] });
      const refused = await app.refresh(refresh_token, scope);
      expect([refused.status, refused.body.error]).toEqual([400, 'invalid_scope']);
      expect((await app.refresh(refresh_token)).status).toBe(200);
    },
  );

  test('a consent keeps its scopes when its application has fewer later', async () => {
    const own = await anApplication(world);
    const { refresh_token } = await own.authorize({ scopes: ['read', 'wallet'] });
    await OAuthClient.updateOne({ _id: own.clientId }, { scopes: ['send'] });
    expect((await own.refresh(refresh_token, 'send')).body.error).toBe('invalid_scope');
    expect((await own.refresh(refresh_token, 'wallet')).body.scope).toBe('wallet');
  });

  test('an access token, or nothing, instead of a refresh token is refused', async () => {
    const { access_token, refresh_token } = await app.authorize();
    await isRefused(access_token);
    expect((await app.refresh('')).body.error).toBe('invalid_request');
    expect((await app.refresh(refresh_token)).status).toBe(200);
  });

  test('a grant holds at most ten access tokens', async () => {
    const first = await app.authorize();
    let last = first;
    for (let rotation = 0; rotation < 11; rotation += 1) last = (await app.refresh(last.refresh_token)).body;
    const [, grantId] = last.refresh_token.split('_');
    expect((await OAuthGrant.findById(grantId).orFail()).accessTokens).toHaveLength(10);
    expect(await statusOf(world, first.access_token)).toBe(401);
    expect(await statusOf(world, last.access_token)).toBe(200);
  });
});
