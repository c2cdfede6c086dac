import { expect } from '@jest/globals';
import { MailJob, type MailJobRecord } from '../../common/mail-jobs/mail-job.model.ts';
import { LedgerEntry, type LedgerEntryRecord } from '../../common/wallet/ledger-entry.model.ts';
import { Wallet, type WalletRecord } from '../../common/wallet/wallet.model.ts';
import { Event } from '../../common/webhooks/event.model.ts';

/** What must hold after any storm or fault: balances, ledger, jobs and events tell one story. */
export async function expectInvariants(): Promise<void> {
  for (const wallet of await Wallet.find().lean<WalletRecord[]>()) {
    const entries = await LedgerEntry.find({ walletId: wallet._id }).sort({ seq: 1 }).lean<LedgerEntryRecord[]>();
    expect(entries.map(({ seq }) => seq)).toEqual(entries.map((_, index) => index + 1));
    let balanceCents = 0;
    for (const { amountCents, balanceAfterCents } of entries) {
      balanceCents += amountCents;
      expect(balanceAfterCents).toBe(balanceCents);
    }
    expect([wallet.balanceCents, wallet.seq]).toEqual([balanceCents, entries.length]);
  }
  const jobs = await MailJob.find().lean<MailJobRecord[]>();
  const debits = await LedgerEntry.find({ kind: 'debit' }).lean<LedgerEntryRecord[]>();
  const paid = (rows: [string | null, number][]) => rows.map(([id, cents]) => `${id} ${cents}`).sort();
  expect(paid(debits.map(({ mailJobId, amountCents }) => [mailJobId, -amountCents]))).toEqual(
    paid(jobs.map(({ _id, amounts }) => [_id, amounts.totalCents])),
  );
  expect(await Event.countDocuments({ kind: 'MAIL_QUEUED' })).toBe(jobs.length);
}
