import { describe, expect, test } from '@jest/globals';
import { topUpWallet } from '../../common/wallet/wallets.ts';
import { standingClock } from '../support/clock.ts';
import { aSender } from '../support/sender.ts';
import { startWorld } from '../support/world.ts';

describe('GET /v1/wallet', () => {
  const clock = standingClock();
  const world = startWorld({ clock });

  test('given a new organization, when it asks, then the test wallet has 1,000.00 EUR and the live one nothing', async () => {
    const testing = await world.customer();
    const live = await world.customer({ organizationId: testing.organizationId, mode: 'live' });
    const [first, second] = [await testing.http.get('/v1/wallet'), await live.http.get('/v1/wallet')];
    expect([first.status, second.status]).toEqual([200, 200]);
    const updatedAt = clock.now().toISOString();
    expect(first.body).toEqual({ balanceCents: 100_000, currency: 'EUR', mode: 'test', updatedAt });
    expect(second.body).toEqual({ balanceCents: 0, currency: 'EUR', mode: 'live', updatedAt });
  });

  test('given letters, refunds and top-ups, when the wallet is read, then it shows each at once', async () => {
    // given
    const sender = await aSender(world);
    const balance = async () => (await sender.http.get('/v1/wallet')).body.balanceCents;
    // when, then
    const { mailJobId, totalCents } = (await sender.send()).body;
    expect(await balance()).toBe(100_000 - totalCents);
    await sender.http.post(`/v1/mails/${mailJobId}/simulate`, { to: 'failed' });
    expect(await balance()).toBe(100_000);
    clock.advance(5_000);
    await topUpWallet(sender, 2_500, 'invoice 7', clock.now());
    await topUpWallet(sender, 2_500, 'invoice 7', clock.now());
    expect(await balance()).toBe(102_500);
    expect((await sender.http.get('/v1/wallet')).body.updatedAt).toBe(clock.now().toISOString());
  });

  test('given two organizations, when one spends, then the wallet of the other is as it was', async () => {
    const [spender, other] = [await aSender(world), await world.customer()];
    await spender.send();
    expect((await other.http.get('/v1/wallet')).body.balanceCents).toBe(100_000);
  });

  test('given keys with one scope each, when they ask, then only that with the scope wallet is answered', async () => {
    for (const scope of ['read', 'send', 'webhooks', 'addresses'] as const) {
      const { http } = await world.customer({ scopes: [scope] });
      expect(await http.get('/v1/wallet')).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
    }
    expect((await (await world.customer({ scopes: ['wallet'] })).http.get('/v1/wallet')).status).toBe(200);
  });
});
