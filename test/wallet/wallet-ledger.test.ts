// Level: push
import fc from 'fast-check';
import { isDuplicateKey } from '#common/platform/mongo/mongo.ts';
import { inTransaction } from '#common/platform/mongo/transaction.ts';
import { moveMoney } from '#common/wallet/ledger/move-money.ts';
import { adjustWallet, topUpWallet } from '#common/wallet/wallets.ts';
import { describe, expect, test } from '../support/jest.ts';
import { aSender, ledgerOf, type Sender } from '../support/product/customer.ts';
import { startWorld } from '../support/product/world.ts';

type Step = { kind: 'send' } | { kind: 'fail'; nth: number } | { kind: 'top-up'; cents: number };

const aStep: fc.Arbitrary<Step> = fc.oneof(
  fc.constant({ kind: 'send' as const }),
  fc.record({ kind: fc.constant('fail' as const), nth: fc.nat(9) }),
  fc.record({ kind: fc.constant('top-up' as const), cents: fc.integer({ min: 1, max: 300 }) }),
);

describe('the ledger of a wallet', () => {
  const world = startWorld();

  /** Takes one step and returns its expected change of the balance in cents. */
  async function take(step: Step, nth: number, sender: Sender, open: string[]): Promise<number> {
    if (step.kind === 'send') {
      const { status, body } = await sender.send();
      if (status === 201) open.push(body.mailJobId);
      return status === 201 ? -body.totalCents : 0;
    }
    if (step.kind === 'top-up') {
      await topUpWallet(sender, step.cents, String(nth), new Date());
      return step.cents;
    }
    const id = open[step.nth % Math.max(open.length, 1)];
    if (id === undefined) return 0;
    const { status } = await sender.http.post(`/v1/mails/${id}/simulate`, { to: 'failed' });
    return status === 200 ? 221 : 0;
  }

  async function expectSound(sender: Sender, balanceCents: number): Promise<void> {
    const entries = await ledgerOf(sender);
    expect(entries.map(({ seq }) => seq)).toEqual(entries.map((_, index) => index + 1));
    const sumCents = entries.reduce((sum, { amountCents }) => sum + amountCents, 0);
    expect([sumCents, entries.at(-1)?.balanceAfterCents]).toEqual([balanceCents, balanceCents]);
    expect(await sender.balanceCents()).toBe(balanceCents);
    expect(Math.min(...entries.map(({ balanceAfterCents }) => balanceAfterCents))).toBeGreaterThanOrEqual(0);
  }

  test('ledger and balance agree after any concurrent letters, failures and top-ups', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(aStep, { minLength: 4, maxLength: 12 }), async (steps) => {
        const sender = await aSender(world, { balanceCents: 700 });
        const open = [(await sender.send()).body.mailJobId, (await sender.send()).body.mailJobId];
        const moved = await Promise.all(steps.map((step, nth) => take(step, nth, sender, open)));
        const sumCents = moved.reduce((sum, cents) => sum + cents, 0);
        await expectSound(sender, 700 - 2 * 221 + sumCents);
      }),
      { numRuns: 8 },
    );
  });

  test('a repeated refund posts nothing, nor do the movements posted with it', async () => {
    const sender = await aSender(world, { balanceCents: 500 });
    const { organizationId, mode } = sender;
    const { mailJobId } = (await sender.send()).body;
    await sender.http.post(`/v1/mails/${mailJobId}/simulate`, { to: 'failed' });
    const before = await ledgerOf(sender);
    const { key } = before.at(-1)!;
    expect(key).toMatch(/^refund:mi_/);
    const pay = (ownKey: string) => ({
      owner: { organizationId, mode },
      kind: 'refund' as const,
      amountCents: 221,
      key: ownKey,
    });
    const again = inTransaction((transaction) =>
      moveMoney(transaction, [pay('refund:mi_other'), pay(key)], new Date()),
    );
    const error = await again.catch((cause: unknown) => cause);
    expect(isDuplicateKey(error)).toBe(true);
    expect(await ledgerOf(sender)).toEqual(before);
    await expectSound(sender, 500);
  });

  test('an adjustment is posted once per reference, up, down and to zero', async () => {
    const sender = await aSender(world, { balanceCents: 500 });
    const before = (await ledgerOf(sender)).length;
    const adjust = async (amountCents: number, reference: string) => {
      const adjustment = { amountCents, reason: 'A mistake', reference };
      const { wallet, entry, isDuplicate } = await adjustWallet(sender, adjustment, new Date());
      return [wallet.balanceCents, entry.amountCents, isDuplicate];
    };
    expect([await adjust(-200, 'case 1'), await adjust(-200, 'case 1')]).toEqual([
      [300, -200, false],
      [300, -200, true],
    ]);
    expect([await adjust(50, 'case 2'), await adjust(50, 'case 2')]).toEqual([
      [350, 50, false],
      [350, 50, true],
    ]);
    expect([await adjust(-350, 'case 3'), await adjust(-350, 'case 3')]).toEqual([
      [0, -350, false],
      [0, -350, true],
    ]);
    await expect(adjust(-1, 'case 4')).rejects.toMatchObject({ code: 'INSUFFICIENT_FUNDS' });
    const posted = (await ledgerOf(sender)).slice(before);
    expect(posted.map(({ kind, amountCents, reason }) => [kind, amountCents, reason])).toEqual(
      [-200, 50, -350].map((amountCents) => ['adjustment', amountCents, 'A mistake']),
    );
    await expectSound(sender, 0);
  });
});
