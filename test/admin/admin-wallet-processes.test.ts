// Level: ci
import { LedgerEntry } from '#common/wallet/ledger/ledger-entry.model.ts';
import { afterEach, byLevel, describe, expect, test } from '../support/jest.ts';
import { killStartedPrograms, startAdmin } from '../support/processes/process-control.ts';
import { address, useAdmin } from '../support/wallet/admin.ts';
import { findViolations } from '../support/wallet/invariants.ts';

describe('wallet commands of many processes', () => {
  const admin = useAdmin();
  afterEach(killStartedPrograms);

  test('many processes that credit one payment at once credit it once and return the same entry', async () => {
    await admin.get('migrate');
    const org = (await admin.get('org', 'create', '--name', 'Peeters', ...address)).organizationId;
    const count = byLevel({ quick: 4, full: 6, long: 12 });
    const words = ['wallet', 'top-up', '--org', org, '--mode', 'live', '--cents', '2500', '--reference', 'bank 1'];
    const programs = Array.from({ length: count }, () => startAdmin([...words, '--json'], admin.environment));
    expect(await Promise.all(programs.map(({ ended }) => ended))).toEqual(Array(count).fill(0));
    const answers = programs.map((program) => JSON.parse(program.standardOutput()));
    expect(answers.filter(({ duplicate }) => !duplicate)).toHaveLength(1);
    expect(new Set(answers.map(({ transactionId }) => transactionId)).size).toBe(1);
    expect(answers.every(({ balanceCents }) => balanceCents === 2_500)).toBe(true);
    await admin.inDatabase(async () => {
      expect(await findViolations()).toEqual([]);
      expect(await LedgerEntry.find({ walletId: `${org}:live` }).lean()).toMatchObject([
        { kind: 'top_up', amountCents: 2_500 },
      ]);
    });
  });
});
