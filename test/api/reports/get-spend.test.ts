// Level: push
import { describe, expect, test } from '#test/support/jest.ts';
import { ledgerOf } from '#test/support/product/customer.ts';
import { startReportScene } from '#test/support/reports/report-scene.ts';
import { post } from '#test/support/wallet/movements.ts';

describe('GET /v1/reports/spend', () => {
  const { april, clock, get, today, world } = startReportScene();

  test('spend is what the ledger debited and refunded, in the month of the booking', async () => {
    const owner = await world.customer();
    clock.set(new Date('2026-07-01T12:00:00.000Z'));
    for (const [amountCents, at] of [
      [-500, '2026-05-31T21:59:59.999Z'],
      [-250, '2026-05-31T22:00:00.000Z'],
    ] as const) {
      await post(owner, [{ amountCents }], new Date(at));
    }
    const { body } = await get('spend', '?from=2026-05-01&to=2026-06-30', owner);
    clock.set(april);
    const row = (cents: number) => ({ letters: 1, debitedCents: cents, refundedCents: 0, spentCents: cents });
    expect(body.data).toEqual([
      { period: '2026-05', ...row(500) },
      { period: '2026-06', ...row(250) },
    ]);
    expect(body.totals).toEqual({ ...row(750), letters: 2 });
    expect(body).toMatchObject({ currency: 'EUR', interval: 'month' });
  });

  test('a cancelled letter is spent and refunded, and costs nothing in the end', async () => {
    clock.set(today);
    const owner = await world.customer();
    const mailJobId = await owner.sendAccepted();
    await owner.http.post(`/v1/mails/${mailJobId}/simulate`, { to: 'failed' });
    const { body } = await get('spend', '', owner);
    clock.set(april);
    const [, debit] = await ledgerOf(owner);
    const cents = -(debit?.amountCents ?? 0);
    expect(cents).toBeGreaterThan(0);
    expect(body.totals).toEqual({ letters: 1, debitedCents: cents, refundedCents: cents, spentCents: 0 });
  });
});
