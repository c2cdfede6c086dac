import { LedgerEntry, type LedgerEntryRecord } from './ledger-entry.model.ts';
import { Wallet, type WalletRecord } from './wallet.model.ts';

/** A broken rule of accounting or production. It is reported to operators; nothing repairs it automatically. */
export type Violation = {
  subject: 'wallet' | 'mail job' | 'batch';
  id: string;
  /** The rule that should hold. */
  rule: string;
  expected: number;
  found: number;
};

export type CheckedEntry = Pick<
  LedgerEntryRecord,
  '_id' | 'walletId' | 'seq' | 'kind' | 'amountCents' | 'balanceAfterCents' | 'mailJobId'
>;

export type LedgerCheck = {
  report(violation: Violation): void;
  /** Receives every entry, at most 1,000 per call. */
  onEntries(entries: readonly CheckedEntry[]): Promise<void>;
  signal?: AbortSignal | undefined;
};

/** Wallets checked by one scan of the ledger. */
const walletsAtOnce = 100;
const entriesAtOnce = 1_000;

/**
 * Checks every wallet against its ledger: entries are numbered from 1 without gaps, each continues from the balance
 * before it, and the wallet's balance equals both the sum of the entries and the balance after the last one.
 *
 * Reads each ledger only up to the wallet's `seq` at the time the wallet was read. Those entries are complete and never
 * change, so money may keep moving during the check.
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

/** A range of wallet ids: `after` is exclusive, `last` inclusive; null means no upper bound. */
type Range = { after: string; last: string | null };

/** Scans a range of wallet ids instead of known ids, to also find ledgers without a wallet. */
async function checkRange({ after, last }: Range, wallets: readonly WalletRecord[], check: LedgerCheck) {
  const checkers = new Map(wallets.map((wallet) => [wallet._id, createChecker(wallet, check)]));
  const unknownWalletIds = new Set<string>();
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
    const checker = checkers.get(entry.walletId);
    if (checker) checker.add(entry);
    else unknownWalletIds.add(entry.walletId);
    batch.push(entry);
    if (batch.length === entriesAtOnce) await flush();
  }
  await flush();
  for (const checker of checkers.values()) await checker.close();
  for (const walletId of unknownWalletIds) await reportMissingWallet(walletId, check);

  return count;
}

/** Reports a ledger without a wallet. A wallet created since the scan is checked on the next run. */
async function reportMissingWallet(walletId: string, { report }: LedgerCheck): Promise<void> {
  if (await Wallet.exists({ _id: walletId })) return;
  report({ subject: 'wallet', id: walletId, rule: 'a ledger has a wallet', expected: 1, found: 0 });
}

/** Checks the entries of one wallet in order. Reports each rule at most once, at the first violation. */
function createChecker(wallet: WalletRecord, { report }: LedgerCheck) {
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
      expect('entries are numbered without gaps', seq + 1, entry.seq);
      // Otherwise the later check by mail job would miss this entry.
      const isOfLetter = entry.kind === 'debit' || entry.kind === 'refund';
      if (isOfLetter) expect('a debit or refund names its mail job', 1, entry.mailJobId === null ? 0 : 1);
      expect('an entry continues from the previous balance', balanceCents + entry.amountCents, entry.balanceAfterCents);
      seq = entry.seq;
      balanceCents = entry.balanceAfterCents;
      sumCents += entry.amountCents;
    },
    async close(): Promise<void> {
      expect('the wallet and its last entry have the same number', wallet.seq, seq);
      expect('the balance is the sum of the entries', sumCents, wallet.balanceCents);
      expect('the balance is the balance after the last entry', balanceCents, wallet.balanceCents);
      if (newestSeq <= wallet.seq) return;
      // Written since the wallet was read, in which case the wallet has advanced too. Otherwise the entry bypassed the
      // wallet.
      const now = await Wallet.findById(wallet._id).readConcern('majority').lean<WalletRecord>();
      if (now && now.seq < newestSeq) {
        expect('the wallet and its last entry have the same number', now.seq, newestSeq);
      }
    },
  };
}
