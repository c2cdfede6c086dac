import { LedgerEntry, type LedgerEntryRecord } from './ledger-entry.model.ts';
import type { Violation } from './violation.ts';
import { Wallet, type WalletRecord } from './wallet.model.ts';

/** What a check needs of an entry. */
export type CheckedEntry = Pick<
  LedgerEntryRecord,
  '_id' | 'walletId' | 'seq' | 'kind' | 'amountCents' | 'balanceAfterCents' | 'mailJobId'
>;

export type LedgerCheck = {
  report(violation: Violation): void;
  /** Gets every entry, a thousand at a time at most. */
  onEntries(entries: readonly CheckedEntry[]): Promise<void>;
  signal?: AbortSignal | undefined;
};

/** Wallets whose ledgers are read in one go. */
const walletsAtOnce = 100;
const entriesAtOnce = 1_000;

/**
 * Holds every wallet against its ledger: its balance is the sum of the entries and the balance after the last one, which
 * are numbered from 1 without a gap, each going on from the balance before. Reads a ledger only as far as its wallet
 * went when it was read first: those entries were there by then and never change, so money may go on moving meanwhile.
 */
export async function checkLedgers(check: LedgerCheck): Promise<{ wallets: number; entries: number }> {
  const counts = { wallets: 0, entries: 0 };
  let after = '';
  for (;;) {
    check.signal?.throwIfAborted();
    const wallets = await Wallet.find({ _id: { $gt: after } })
      .sort({ _id: 1 })
      .limit(walletsAtOnce)
      .readConcern('majority')
      .lean<WalletRecord[]>();
    const last = wallets.length < walletsAtOnce ? null : (wallets.at(-1)?._id ?? null);
    counts.wallets += wallets.length;
    counts.entries += await checkRange({ after, last }, wallets, check);
    if (last === null) return counts;
    after = last;
  }
}

/** Wallet ids after one, up to another; null is without end. */
type Range = { after: string; last: string | null };

/** By range and not by name: so a ledger whose wallet is gone is met as well. */
async function checkRange({ after, last }: Range, wallets: readonly WalletRecord[], check: LedgerCheck) {
  const audits = new Map(wallets.map((wallet) => [wallet._id, createAudit(wallet, check)]));
  const strays = new Set<string>();
  let batch: CheckedEntry[] = [];
  let count = 0;
  const flush = async () => {
    check.signal?.throwIfAborted();
    await check.onEntries(batch);
    count += batch.length;
    batch = [];
  };
  const cursor = LedgerEntry.find({ walletId: { $gt: after, ...(last !== null && { $lte: last }) } })
    .sort({ walletId: 1, seq: 1 })
    .select({ walletId: 1, seq: 1, kind: 1, amountCents: 1, balanceAfterCents: 1, mailJobId: 1 })
    .readConcern('majority')
    .lean<CheckedEntry[]>()
    .cursor({ batchSize: entriesAtOnce });
  for await (const entry of cursor as AsyncIterable<CheckedEntry>) {
    const audit = audits.get(entry.walletId);
    if (audit) audit.add(entry);
    else strays.add(entry.walletId);
    batch.push(entry);
    if (batch.length === entriesAtOnce) await flush();
  }
  await flush();
  for (const audit of audits.values()) await audit.close();
  for (const walletId of strays) await checkStray(walletId, check);

  return count;
}

/** A wallet that was opened meanwhile is looked at the next time; one that is not there was removed. */
async function checkStray(walletId: string, { report }: LedgerCheck): Promise<void> {
  if (await Wallet.exists({ _id: walletId })) return;
  report({ subject: 'wallet', id: walletId, rule: 'a ledger has its wallet', expected: 1, found: 0 });
}

/** Goes through the entries of one wallet in order; each kind of fault is reported once, where it begins. */
function createAudit(wallet: WalletRecord, { report }: LedgerCheck) {
  const reported = new Set<string>();
  const expect = (rule: string, expected: number, found: number) => {
    if (expected === found || reported.has(rule)) return;
    reported.add(rule);
    report({ subject: 'wallet', id: wallet._id, rule, expected, found });
  };
  let seq = 0;
  let balanceCents = 0;
  let sumCents = 0;
  let newestSeq = 0;

  return {
    add(entry: CheckedEntry): void {
      newestSeq = entry.seq;
      if (entry.seq > wallet.seq) return;
      expect('entries are numbered without a gap', seq + 1, entry.seq);
      // Money that belongs to no letter would be looked for with none.
      const isOfLetter = entry.kind === 'debit' || entry.kind === 'refund';
      if (isOfLetter) expect('what is debited or refunded is of a mail job', 1, entry.mailJobId === null ? 0 : 1);
      expect('an entry goes on from the balance before', balanceCents + entry.amountCents, entry.balanceAfterCents);
      seq = entry.seq;
      balanceCents = entry.balanceAfterCents;
      sumCents += entry.amountCents;
    },
    async close(): Promise<void> {
      expect('the last entry is the one that the wallet counted', wallet.seq, seq);
      expect('the balance is the sum of the entries', sumCents, wallet.balanceCents);
      expect('the balance is that after the last entry', balanceCents, wallet.balanceCents);
      if (newestSeq <= wallet.seq) return;
      // Written since, and then the wallet has gone on too; or by somebody who forgot the wallet.
      const now = await Wallet.findById(wallet._id).readConcern('majority').lean<WalletRecord>();
      if (now && now.seq < newestSeq) {
        expect('the last entry is the one that the wallet counted', now.seq, newestSeq);
      }
    },
  };
}
