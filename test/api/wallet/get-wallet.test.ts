// Level: push
import { setLowBalance } from '#common/wallet/low-balance.ts';
import { topUpWallet } from '#common/wallet/wallets.ts';
import { describe, expect, standingClock, test } from '#test/support/jest.ts';
import { aSender, type Customer } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';

describe('GET /v1/wallet', () => {
  const clock = standingClock();
  const world = startWorld({ clock });

  test('a new organization has 1,000.00 EUR in the test wallet and nothing in the live wallet', async () => {
    const testing = await world.customer();
    const live = await world.customer({ organizationId: testing.organizationId, mode: 'live' });
    const [first, second] = [await testing.http.get('/v1/wallet'), await live.http.get('/v1/wallet')];
    expect([first.status, second.status]).toEqual([200, 200]);
    const updatedAt = clock.now().toISOString();
    const rest = { currency: 'EUR', lowBalanceCents: null, isLow: false, updatedAt };
    expect(first.body).toEqual({ balanceCents: 100_000, mode: 'test', ...rest });
    expect(second.body).toEqual({ balanceCents: 0, mode: 'live', ...rest });
  });

  test('the balance is low only below the threshold, and only in its mode', async () => {
    const testing = await world.customer({ balanceCents: 5_000 });
    const live = await world.customer({ organizationId: testing.organizationId, mode: 'live' });
    const read = async ({ http }: Customer) => {
      const { lowBalanceCents, isLow } = (await http.get('/v1/wallet')).body;
      return [lowBalanceCents, isLow];
    };
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

  test('the wallet shows letters, refunds and top-ups immediately', async () => {
    const sender = await aSender(world);
    const balance = async () => (await sender.http.get('/v1/wallet')).body.balanceCents;
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
});
