import { AppError } from '../errors.ts';
import { newId } from '../ids.ts';
import type { Owner } from '../modes.ts';
import { assertCents, type VatPart } from '../money.ts';
import type { Transaction } from '../platform/transaction.ts';
import { type EntryKind, LedgerEntry, type LedgerEntryRecord } from './ledger-entry.model.ts';
import { Wallet, type WalletRecord } from './wallet.model.ts';

export type Movement = {
  owner: Owner;
  kind: EntryKind;
  /** Signed whole cents: what is taken from the wallet is negative. */
  amountCents: number;
  /** The same key moves money once; a second time aborts the transaction with a duplicate key error. */
  key: string;
  mailJobId?: string;
  itemId?: string;
  /** How the amount splits by VAT rate, with its sign; a letter's debit and its refunds have it. */
  vat?: readonly VatPart[];
  /** Of an adjustment. */
  reason?: string;
};

/**
 * Moves money: the one place that changes a balance. Wallets and ledger change together, in the caller's transaction.
 * The movements of one wallet are applied in their order; a sum that the balance cannot cover throws
 * INSUFFICIENT_FUNDS, which must abort the transaction. Returns the entries written.
 */
export async function moveMoney(
  transaction: Transaction,
  movements: readonly Movement[],
  at: Date,
): Promise<LedgerEntryRecord[]> {
  const byWallet = Map.groupBy(movements, ({ owner }) => walletIdOf(owner));
  const entries: LedgerEntryRecord[] = [];
  // One after the other: a session carries one operation at a time.
  for (const [walletId, ofWallet] of byWallet) {
    const wallet = await changeBalance(transaction, walletId, ofWallet, at);
    entries.push(...toEntries(wallet, ofWallet));
  }
  await LedgerEntry.insertMany(entries, { session: transaction });

  return entries;
}

async function changeBalance(transaction: Transaction, walletId: string, movements: readonly Movement[], at: Date) {
  const sumCents = movements.reduce((sum, { amountCents }) => sum + assertCents(amountCents), 0);
  // The balance is judged inside the update, so two debits can never both pass on the same cents.
  const covered = sumCents < 0 ? { balanceCents: { $gte: -sumCents } } : {};
  const wallet = await Wallet.findOneAndUpdate(
    { _id: walletId, ...covered },
    { $inc: { balanceCents: sumCents, seq: movements.length }, $max: { updatedAt: at } },
    { session: transaction, returnDocument: 'after', lean: true },
  );
  if (!wallet) throw new AppError('INSUFFICIENT_FUNDS');

  return wallet as WalletRecord;
}

function toEntries(wallet: WalletRecord, movements: readonly Movement[]): LedgerEntryRecord[] {
  // The wallet's own time: clocks of two processes differ, but the order of entries and that of their times must not.
  const at = wallet.updatedAt;
  let seq = wallet.seq - movements.length;
  let balanceAfterCents = movements.reduce((balance, { amountCents }) => balance - amountCents, wallet.balanceCents);

  return movements.map(({ kind, amountCents, key, mailJobId = null, itemId = null, vat, reason }) => {
    seq += 1;
    balanceAfterCents += amountCents;
    const entry = { walletId: wallet._id, seq, kind, amountCents, balanceAfterCents, key, mailJobId, itemId, at };
    return { _id: newId('txn'), ...entry, ...(vat && { vat }), ...(reason !== undefined && { reason }) };
  });
}

/** A wallet is named by its owner, so that it exists once without being looked for. */
export function walletIdOf({ organizationId, mode }: Owner): string {
  return `${organizationId}:${mode}`;
}
