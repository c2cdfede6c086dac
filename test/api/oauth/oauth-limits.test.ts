// Level: push
import { beforeEach, describe, expect, standingClock, test } from '#test/support/jest.ts';
import { type Application, anApplication } from '#test/support/product/application.ts';
import type { Answer } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';

const statusesOf = async (count: number, ask: () => Promise<Answer>) => {
  const statuses: number[] = [];
  for (let n = 0; n < count; n += 1) statuses.push((await ask()).status);
  return statuses;
};

describe('the default limits of the OAuth routes', () => {
  const environment = { RATE_LIMIT_OAUTH_CLIENT_PER_MINUTE: '', RATE_LIMIT_OAUTH_ADDRESS_PER_MINUTE: '' };
  // A token that is refreshed again within 30 s gives the same pair, also on a slow machine.
  const world = startWorld({ environment, clock: standingClock() });

  test('an application refreshes 200 times in a minute from one address', async () => {
    const app = await anApplication(world);
    const { refresh_token: token } = await app.authorize();
    const answers: Answer[] = [];
    for (let round = 0; round < 20; round += 1) {
      answers.push(...(await Promise.all(Array.from({ length: 10 }, () => app.refresh(token)))));
    }
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  });
});

describe('OAuth routes with limits of 5 failures per address and 5 successes per application', () => {
  const environment = {
    // The first tokens of each application use one success.
    RATE_LIMIT_OAUTH_CLIENT_PER_MINUTE: '5',
    RATE_LIMIT_OAUTH_ADDRESS_PER_MINUTE: '5',
    TRUST_PROXY: '1',
  };
  const world = startWorld({ environment });
  let app: Application;
  let other: Application;
  let tokens: { app: string; other: string };
  let address = 0;
  beforeEach(async () => {
    [app, other] = [await anApplication(world), await anApplication(world)];
    const [one, two] = [await app.authorize(), await other.authorize()];
    tokens = { app: one.refresh_token, other: two.refresh_token };
    address += 1;
  });

  const here = () => `203.0.113.${address}`;
  const postFrom = (from: string, { clientId, secret }: Pick<Application, 'clientId' | 'secret'>) => {
    const own = { client_id: clientId, client_secret: secret };
    return (path: string, form: Record<string, string>) =>
      app.post(path, { ...own, ...form }, { 'x-forwarded-for': from });
  };
  const refreshFrom = (from: string, who: Application, token: string) =>
    postFrom(from, who)('/oauth/token', { grant_type: 'refresh_token', refresh_token: token });
  const guess = () => postFrom(here(), { ...app, secret: 'x' })('/oauth/token', { grant_type: 'refresh_token' });
  const dead = () => refreshFrom(here(), app, 'bjr_dead');

  test('wrong secrets beyond the limit of an address get 429 in the form of RFC 6749', async () => {
    expect(await statusesOf(7, guess)).toEqual([401, 401, 401, 401, 401, 429, 429]);
    const { headers, body } = await guess();
    expect(body).toEqual({ error: 'temporarily_unavailable', error_description: expect.any(String) });
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect([headers.get('cache-control'), headers.get('pragma')]).toEqual(['no-store', 'no-cache']);
    const elsewhere = postFrom('198.51.100.1', { ...app, secret: 'x' });
    expect((await elsewhere('/oauth/token', { grant_type: 'refresh_token' })).status).toBe(401);
  });

  test('wrong secrets from an address do not block valid requests from there', async () => {
    await statusesOf(7, guess);
    expect((await refreshFrom(here(), app, tokens.app)).status).toBe(200);
    expect((await refreshFrom(here(), other, tokens.other)).status).toBe(200);
  });

  test('a failing application is refused before its token is spent, without effect on others', async () => {
    expect(await statusesOf(7, dead)).toEqual([400, 400, 400, 400, 400, 429, 429]);
    const refused = await refreshFrom(here(), app, tokens.app);
    expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true]);
    expect((await refreshFrom(here(), other, tokens.other)).status).toBe(200);
    // The refused request has not spent the token: a second use after the grace period would end the grant.
    const first = await refreshFrom('198.51.100.2', app, tokens.app);
    expect([first.status, first.body.refresh_token === tokens.app]).toEqual([200, false]);
  });

  test('failures of all applications at one address count towards one limit', async () => {
    expect(await statusesOf(3, dead)).toEqual([400, 400, 400]);
    const deadOther = () => refreshFrom(here(), other, 'bjr_dead');
    expect(await statusesOf(4, deadOther)).toEqual([400, 400, 429, 429]);
  });

  test('malformed requests count as failures', async () => {
    const json = () => app.post('/oauth/token', {}, { 'content-type': 'application/json', 'x-forwarded-for': here() });
    expect(await statusesOf(6, json)).toEqual([400, 400, 400, 400, 400, 429]);
  });

  test('only successes count against the quota of an application', async () => {
    const good = () => refreshFrom(here(), app, tokens.app);
    expect(await statusesOf(4, dead)).toEqual([400, 400, 400, 400]);
    expect(await statusesOf(5, good)).toEqual([200, 200, 200, 200, 429]);
    expect((await refreshFrom('198.51.100.3', app, tokens.app)).status).toBe(429);
    expect((await refreshFrom(here(), other, tokens.other)).status).toBe(200);
  });

  test('of twenty concurrent refreshes exactly the quota succeed', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => refreshFrom(here(), app, tokens.app)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(4);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(16);
  });

  test('the quota of an application overrides the default', async () => {
    const busy = await anApplication(world, { tokensPerMinute: 6 });
    const { refresh_token: token } = await busy.authorize();
    // Getting the tokens was the first success.
    expect(await statusesOf(6, () => refreshFrom(here(), busy, token))).toEqual([200, 200, 200, 200, 200, 429]);
  });

  test('revocation has a quota of its own beside that of refreshes', async () => {
    const good = () => refreshFrom(here(), app, tokens.app);
    await statusesOf(4, good);
    const revoke = () => postFrom(here(), app)('/oauth/revoke', { token: 'bja_unknown' });
    expect(await statusesOf(6, revoke)).toEqual([200, 200, 200, 200, 200, 429]);
    expect(await statusesOf(6, () => postFrom(here(), other)('/oauth/revoke', {}))).toEqual([
      400, 400, 400, 400, 400, 429,
    ]);
  });
});
