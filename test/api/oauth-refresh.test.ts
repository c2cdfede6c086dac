import { beforeAll, describe, expect, test } from '@jest/globals';
import { OAuthGrant } from '../../common/oauth/grant.model.ts';
import { lifetimes } from '../../common/oauth/lifetimes.ts';
import { type Application, anApplication, statusOf } from '../support/application.ts';
import { standingClock } from '../support/clock.ts';
import { startWorld } from '../support/world.ts';

const dayMs = 24 * 60 * 60 * 1_000;

describe('POST /oauth/token with a refresh token', () => {
  const clock = standingClock();
  const world = startWorld({ clock });
  let app: Application;
  let other: Application;
  beforeAll(async () => {
    app = await anApplication(world);
    other = await anApplication(world);
  });
  const isRefused = async (refreshToken: string, by = app) => {
    const { status, body } = await by.refresh(refreshToken);
    expect([status, body.error]).toEqual([400, 'invalid_grant']);
  };
  const replays = async () => {
    const { values } = (await world.registry.getSingleMetric('oauth_reuse_detected_total')?.get()) ?? {};
    return values?.[0]?.value ?? 0;
  };

  test('given a refresh token (RFC 6749, 6), when it is used, then a new pair comes, and both access tokens live their hour', async () => {
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

  test('given a lost answer, when the same token comes again within 30 s, then the same pair; a moment later the grant is dead (RFC 9700, 4.14.2)', async () => {
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

  test('given a successor that was used, when its predecessor comes again within 30 s, then the grant is dead (RFC 9700, 4.14.2)', async () => {
    const first = await app.authorize();
    const { body: second } = await app.refresh(first.refresh_token);
    const { body: third } = await app.refresh(second.refresh_token);
    clock.advance(5_000);
    await isRefused(first.refresh_token);
    expect(await statusOf(world, third.access_token)).toBe(401);
    await isRefused(third.refresh_token);
  });

  test('given an ancestor of many rotations ago, when it comes, then the grant is dead; a text that was never issued changes nothing', async () => {
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

  test('given another client, when it presents the token, live or spent (RFC 6749, 10.4), then invalid_grant, and the grant is intact', async () => {
    const first = await app.authorize();
    await isRefused(first.refresh_token, other);
    const { body: second } = await app.refresh(first.refresh_token);
    clock.advance(60_000);
    await isRefused(first.refresh_token, other);
    expect(await statusOf(world, second.access_token)).toBe(200);
    expect((await app.refresh(second.refresh_token)).status).toBe(200);
  });

  test('given a token not used for 60 days (RFC 9700, 4.14.2), when it comes, then invalid_grant; a moment before, a new pair for 60 more', async () => {
    const [first, idle] = [await app.authorize(), await app.authorize()];
    clock.advance(60 * dayMs - 1);
    const { status, body: second } = await app.refresh(first.refresh_token);
    expect(status).toBe(200);
    clock.advance(1);
    await isRefused(idle.refresh_token);
    clock.advance(60 * dayMs - 2);
    expect((await app.refresh(second.refresh_token)).status).toBe(200);
  });

  test('given a grant that is refreshed all the time, when it is a year old, then it ends', async () => {
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

  test('given fewer scopes (RFC 6749, 6), when a token is refreshed, then this access token has them, and the next one all again', async () => {
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
    'given the scope %s, more than was granted (RFC 6749, 6), when a token is refreshed, then invalid_scope, and it is not spent',
    async (scope) => {
      const { refresh_token } = await app.authorize({ scopes: ['read', 'wallet'] });
      const refused = await app.refresh(refresh_token, scope);
      expect([refused.status, refused.body.error]).toEqual([400, 'invalid_scope']);
      expect((await app.refresh(refresh_token)).status).toBe(200);
    },
  );

  test('given an access token, or nothing, in place of the refresh token, when it is used, then it is refused', async () => {
    const { access_token, refresh_token } = await app.authorize();
    await isRefused(access_token);
    expect((await app.refresh('')).body.error).toBe('invalid_request');
    expect((await app.refresh(refresh_token)).status).toBe(200);
  });

  test('given an application that refreshes without need, when the row is read, then it holds ten access tokens at most', async () => {
    const first = await app.authorize();
    let last = first;
    for (let rotation = 0; rotation < 11; rotation += 1) last = (await app.refresh(last.refresh_token)).body;
    const [, grantId] = last.refresh_token.split('_');
    expect((await OAuthGrant.findById(grantId).orFail()).accessTokens).toHaveLength(10);
    expect(await statusOf(world, first.access_token)).toBe(401);
    expect(await statusOf(world, last.access_token)).toBe(200);
  });
});
