import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Application, anApplication } from '../support/application.ts';
import { createClient } from '../support/client.ts';
import { standingClock } from '../support/clock.ts';
import { aSender, ledgerOf } from '../support/sender.ts';
import { startWorld } from '../support/world.ts';

describe('an access token at the API', () => {
  const clock = standingClock();
  const world = startWorld({ clock, environment: { RATE_LIMIT_WRITE_PER_MINUTE: '7', RATE_LIMIT_BURST: '5' } });
  let app: Application;
  let liveApp: Application;
  beforeAll(async () => {
    app = await anApplication(world);
    liveApp = await anApplication(world, { mode: 'live' });
  });

  test('given no live access token in the right place (RFC 6750, 2 and 3.1), when a route is asked, then 401 UNAUTHORIZED', async () => {
    const { access_token: token, refresh_token: refreshToken } = await app.authorize();
    const asked = async (headers: Record<string, string>, path = '/v1/wallet') => {
      const { status, headers: answered, body } = await createClient(world.url).get(path, headers);
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
    for (const answer of wrong) expect(answer).toEqual([401, 'UNAUTHORIZED', 'Bearer']);
    expect((await createClient(world.url, token).get('/v1/wallet')).status).toBe(200);
  });

  test.each([
    ['read', '/v1/mails', 200],
    ['read', '/v1/wallet', 403],
    ['wallet', '/v1/wallet', 200],
    ['wallet', '/v1/mails', 403],
    ['addresses', '/v1/addresses', 200],
    ['webhooks', '/v1/webhooks', 403],
  ] as const)('given only the scope %s (RFC 6750, 3.1), when %s is asked, then %i', async (scope, path, status) => {
    const { access_token } = await app.authorize({ scopes: [scope] });
    const answer = await createClient(world.url, access_token).get(path);
    expect([answer.status, answer.body.code]).toEqual([status, status === 403 ? 'FORBIDDEN' : undefined]);
  });

  test('given an application with two customers, when it sends for each, then each wallet pays its own letter, and neither sees the other', async () => {
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

  test('given a live application, when its token is used, then it acts in live mode alone', async () => {
    const customer = await world.customer();
    const { access_token } = await liveApp.authorize({ organizationId: customer.organizationId });
    const http = createClient(world.url, access_token);
    expect((await http.get('/v1/wallet')).body).toMatchObject({ mode: 'live', balanceCents: 0 });
    expect((await http.post('/v1/mails/mj_x/simulate')).status).toBe(403);
  });

  test('given a quota, when an application uses it up for one customer, then its other customers and later tokens of theirs have their own', async () => {
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
