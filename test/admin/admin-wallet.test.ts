// Level: push
import { LedgerEntry, type LedgerEntryRecord } from '#common/wallet/ledger/ledger-entry.model.ts';
import { Wallet } from '#common/wallet/ledger/wallet.model.ts';
import { beforeAll, describe, expect, test } from '../support/jest.ts';
import { address, useAdmin } from '../support/wallet/admin.ts';
import { findViolations } from '../support/wallet/invariants.ts';

describe('the wallet commands', () => {
  const admin = useAdmin();
  let org: string;
  beforeAll(async () => {
    await admin.get('migrate');
    org = (await admin.get('org', 'create', '--name', 'Peeters', ...address)).organizationId;
  });
  const wallet = (verb: string, ...words: string[]) => ['wallet', verb, '--org', org, '--mode', 'live', ...words];
  const ledger = () =>
    admin.inDatabase(async () => {
      expect(await findViolations()).toEqual([]);
      return await LedgerEntry.find({ walletId: `${org}:live` })
        .sort({ seq: 1 })
        .lean<LedgerEntryRecord[]>();
    });

  test('an adjustment, up or down, is posted once per reference with its reason', async () => {
    await admin.get(...wallet('top-up', '--cents', '1000', '--reference', 'bank 2'));
    const before = await ledger();
    const balance = before.at(-1)?.balanceAfterCents ?? 0;
    const down = wallet('adjust', '--cents=-700', '--reason', 'paid twice', '--reference', 'case 1');
    const first = await admin.get(...down);
    expect(first).toEqual({
      organizationId: org,
      mode: 'live',
      balanceCents: balance - 700,
      currency: 'EUR',
      transactionId: expect.stringMatching(/^txn_/),
      duplicate: false,
    });
    expect(await admin.get(...down)).toEqual({ ...first, duplicate: true });
    expect((await admin.runForPeople(...down)).stdout).toContain('Nothing moved: this reference was used by');
    await admin.get(...wallet('adjust', '--cents', '1', '--reason', 'a cent', '--reference', 'case 2'));
    const added = (await ledger()).slice(before.length);
    expect(added.map(({ kind, amountCents, reason, key }) => [kind, amountCents, reason, key])).toEqual([
      ['adjustment', -700, 'paid twice', `adjustment:${org}:live:case 1`],
      ['adjustment', 1, 'a cent', `adjustment:${org}:live:case 2`],
    ]);
  });

  test.each([
    ['no cents', ['--cents', '0', '--reason', 'x', '--reference', 'y'], '--cents'],
    ['half a cent', ['--cents', '1.5', '--reason', 'x', '--reference', 'y'], '--cents'],
    ['too much', ['--cents', '100000001', '--reason', 'x', '--reference', 'y'], '--cents'],
    ['no reason', ['--cents', '1', '--reason', ' ', '--reference', 'y'], '--reason'],
    ['no reference', ['--cents', '1', '--reason', 'x'], '--reference'],
  ])('adjusting a wallet with %s is refused and posts nothing', async (_what, words, option) => {
    const before = await ledger();
    const { code, stderr } = await admin.run(...wallet('adjust', ...words));
    expect([code, stderr]).toEqual([1, expect.stringContaining(option)]);
    expect(await ledger()).toEqual(before);
  });

  test('a low-balance threshold can be set and removed', async () => {
    const set = (cents: string) => admin.get(...wallet('set-threshold', '--cents', cents));
    const result = { organizationId: org, mode: 'live', balanceCents: 301, currency: 'EUR' };
    expect(await set('500')).toEqual({ ...result, lowBalanceCents: 500, isLow: true });
    const stored = () => admin.inDatabase(async () => (await Wallet.findById(`${org}:live`).lean())?.lowBalanceCents);
    expect(await stored()).toBe(500);
    expect((await admin.runForPeople(...wallet('set-threshold', '--cents', '500'))).stdout).toBe(
      `The live wallet of ${org} is low below 5.00 EUR. It holds 3.01 EUR, which is low.\n`,
    );
    expect(await set('0')).toEqual({ ...result, lowBalanceCents: null, isLow: false });
    expect(await stored()).toBeNull();
    expect((await admin.run(...wallet('set-threshold', '--cents', '-1'))).code).toBe(1);
  });
});
