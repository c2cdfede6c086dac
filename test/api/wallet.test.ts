import { describe, expect, test } from '@jest/globals';
import { setLowBalance } from '../../common/wallet/low-balance.ts';
import { topUpWallet } from '../../common/wallet/wallets.ts';
import { standingClock } from '../support/clock.ts';
import type { Customer } from '../support/customer.ts';
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
    const rest = { currency: 'EUR', lowBalanceCents: null, isLow: false, updatedAt };
    expect(first.body).toEqual({ balanceCents: 100_000, mode: 'test', ...rest });
    expect(second.body).toEqual({ balanceCents: 0, mode: 'live', ...rest });
  });

  test('given a threshold of one mode, when the balance meets it and falls below, then it is low only below, and only there', async () => {
    // given
    const testing = await world.customer({ balanceCents: 5_000 });
    const live = await world.customer({ organizationId: testing.organizationId, mode: 'live' });
    const read = async ({ http }: Customer) => {
      const { lowBalanceCents, isLow } = (await http.get('/v1/wallet')).body;
      return [lowBalanceCents, isLow];
    };
    // when, then
    for (const [cents, isLow] of [
      [5_000, false],
      [5_001, true],
      [1, false],
      [null, false],
    ] as const) {
      await setLowBalance(testing, cents);
      expect([await read(testing), await read(live)]).toEqual([
        [cents, isLow],
        [null, false],
      ]);
    }
    await setLowBalance(live, 1);
    expect(await read(live)).toEqual([1, true]);
    for (const cents of [0, -1, 1.5, 100_000_001, Number.NaN]) {
      await expect(setLowBalance(live, cents)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    }
    expect(await testing.balanceCents()).toBe(5_000);
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
