import { AppError } from '../errors.ts';
import { newId } from '../ids.ts';
import type { Owner } from '../modes.ts';
import { assertCents, type VatPart } from '../money.ts';
import { findRows, insertRows, rowsOf, updateRows } from '../platform/mongo.ts';
import type { Transaction } from '../platform/transaction.ts';
import type { EntryKind } from './entry-kind.ts';
import { LedgerEntry, type LedgerEntryRecord } from './ledger-entry.model.ts';
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
 * The wallets of a transaction as it sees them, and the movements that it is about to write: for one refund or for 256
 * debits. The one place that changes a balance; wallets and ledger change together.
 */
export type Books = {
  /**
   * Notes a movement, to be written after those noted before it. False, with nothing noted, when it takes more than its
   * wallet then holds. Throws when the owner has no wallet.
   */
  enter(movement: Movement): boolean;
  /** Writes balances and ledger entries of all that was noted, once, and returns the entries. */
  write(at: Date): Promise<LedgerEntryRecord[]>;
};

/** A wallet before, and the entries that are to follow; the last one's balance is the wallet's next. */
type Page = { wallet: WalletRecord; entries: Omit<LedgerEntryRecord, 'at'>[] };

/** Reads the wallets of these owners, for movements between them and `write`. */
export async function openBooks(transaction: Transaction, owners: readonly Owner[]): Promise<Books> {
  const ids = [...new Set(owners.map(walletIdOf))];
  const isAmong = { _id: { $in: ids } };
  const wallets = await findRows<WalletRecord>(Wallet, isAmong, { limit: ids.length, session: transaction });
  const pages = new Map(wallets.map((wallet): [string, Page] => [wallet._id, { wallet, entries: [] }]));

  return {
    enter(movement) {
      const walletId = walletIdOf(movement.owner);
      const page = pages.get(walletId);
      if (!page) throw new Error(`No wallet for ${walletId}`);
      const last = page.entries.at(-1);
      const amountCents = assertCents(movement.amountCents);
      const balanceAfterCents = (last?.balanceAfterCents ?? page.wallet.balanceCents) + amountCents;
      if (amountCents < 0 && balanceAfterCents < 0) return false;
      const seq = (last?.seq ?? page.wallet.seq) + 1;
      page.entries.push(toEntry(movement, { seq, balanceAfterCents }));
      return true;
    },

    async write(at) {
      const changed = [...pages.values()].filter(({ entries }) => entries.length > 0);
      const entries = changed.flatMap((page) => page.entries.map((entry) => ({ ...entry, at: timeOf(page, at) })));
      if (entries.length === 0) return [];
      await changeBalances(transaction, changed, at);
      await insertRows(LedgerEntry, entries, transaction);
      return entries;
    },
  };
}

function toEntry(
  movement: Movement,
  place: Pick<LedgerEntryRecord, 'seq' | 'balanceAfterCents'>,
): Omit<LedgerEntryRecord, 'at'> {
  const { kind, amountCents, key, mailJobId = null, itemId = null, vat, reason } = movement;
  return {
    _id: newId('txn'),
    walletId: walletIdOf(movement.owner),
    kind,
    amountCents,
    ...place,
    key,
    mailJobId,
    itemId,
    ...(vat && { vat }),
    ...(reason !== undefined && { reason }),
  };
}

async function changeBalances(transaction: Transaction, pages: readonly Page[], at: Date): Promise<void> {
  const changes = pages.map((page) => {
    const { wallet, entries } = page;
    const sumCents = (entries.at(-1)?.balanceAfterCents ?? wallet.balanceCents) - wallet.balanceCents;
    // The balance is judged inside the update too, so no two debits can ever both pass on the same cents.
    const covered = sumCents < 0 ? { balanceCents: { $gte: -sumCents } } : {};
    const filter = { _id: wallet._id, seq: wallet.seq, ...covered };
    const change = { $inc: { balanceCents: sumCents, seq: entries.length }, $set: { updatedAt: timeOf(page, at) } };
    return { filter, change };
  });
  const matchedCount = await updateRows(Wallet, changes, transaction);
  // A wallet that changed since it was read is a write conflict, which has thrown already.
  if (matchedCount !== pages.length) throw new Error('A wallet is not as the transaction has read it');
}

/** The clocks of two processes differ; the time of a wallet never goes back, so that a time is a place in its ledger. */
function timeOf({ wallet }: Page, at: Date): Date {
  return wallet.updatedAt > at ? wallet.updatedAt : at;
}

/**
 * One movement without reading its wallet first, for whoever waits for each round trip. Null, with nothing changed, when
 * it takes more than the wallet holds. Throws when the owner has no wallet.
 */
export async function moveOne(
  transaction: Transaction,
  movement: Movement,
  at: Date,
): Promise<LedgerEntryRecord | null> {
  const walletId = walletIdOf(movement.owner);
  const amountCents = assertCents(movement.amountCents);
  const covered = amountCents < 0 ? { balanceCents: { $gte: -amountCents } } : {};
  const wallets = rowsOf<WalletRecord>(Wallet);
  const after = await wallets.findOneAndUpdate(
    { _id: walletId, ...covered },
    { $inc: { balanceCents: amountCents, seq: 1 }, $max: { updatedAt: at } },
    { session: transaction, returnDocument: 'after' },
  );
  if (!after) {
    if (await wallets.findOne({ _id: walletId }, { session: transaction })) return null;
    throw new Error(`No wallet for ${walletId}`);
  }
  const { seq, balanceCents: balanceAfterCents, updatedAt } = after;
  const entry = { ...toEntry(movement, { seq, balanceAfterCents }), at: updatedAt };
  await insertRows(LedgerEntry, [entry], transaction);
  return entry;
}

/**
 * Moves money, all of it or none: a movement that its wallet cannot cover in its turn throws INSUFFICIENT_FUNDS, which
 * must abort the transaction. The movements of one wallet are applied in their order. Returns the entries written.
 */
export async function moveMoney(
  transaction: Transaction,
  movements: readonly Movement[],
  at: Date,
): Promise<LedgerEntryRecord[]> {
  const books = await openBooks(
    transaction,
    movements.map(({ owner }) => owner),
  );
  if (!movements.every((movement) => books.enter(movement))) throw new AppError('INSUFFICIENT_FUNDS');
  return await books.write(at);
}

/** A wallet is named by its owner, so that it exists once without being looked for. */
export function walletIdOf({ organizationId, mode }: Owner): string {
  return `${organizationId}:${mode}`;
}
