import { AppError } from '#common/errors.ts';
import { newId } from '#common/ids.ts';
import type { Owner } from '#common/modes.ts';
import { assertCents, type VatPart } from '#common/money.ts';
import { findRows, insertRows, updateRows } from '#common/platform/mongo/mongo.ts';
import type { Transaction } from '#common/platform/mongo/transaction.ts';
import { type EntryKind, LedgerEntry, type LedgerEntryRecord } from './ledger-entry.model.ts';
import { Wallet, type WalletRecord } from './wallet.model.ts';

export type Movement = {
  owner: Owner;
  kind: EntryKind;
  /** Signed, in whole cents; a debit is negative. */
  amountCents: number;
  /** Idempotency key. A second movement with the same key aborts the transaction with a duplicate key error. */
  key: string;
  mailJobId?: string;
  itemId?: string;
  /** The split of the amount by VAT rate, with the sign of the amount. Set for a letter's debit and refunds. */
  vat?: readonly VatPart[];
  /** Only for an adjustment. */
  reason?: string;
};

/**
 * The ledger entries that one transaction posts, from one refund to 256 debits. Wallet balances and ledger entries
 * change together and only here.
 */
export type LedgerBatch = {
  /**
   * Adds a movement after those posted before. Returns false and adds nothing if the wallet cannot cover it. Throws if
   * the owner has no wallet.
   */
  post(movement: Movement): boolean;
  /** Writes all posted movements to wallets and ledger and returns the entries. Call it once. */
  write(at: Date): Promise<LedgerEntryRecord[]>;
};

/** A wallet as it was read, and the entries to append. The last entry's balance becomes the wallet's balance. */
type PendingWallet = { wallet: WalletRecord; entries: Omit<LedgerEntryRecord, 'at'>[] };

/** The id finds the wallet. The planner would compare the indexes of the other fields each time. */
const byId = { _id: 1 } as const;

/** Reads the wallets of these owners and returns an empty batch for them. */
export async function openLedgerBatch(transaction: Transaction, owners: readonly Owner[]): Promise<LedgerBatch> {
  const ids = [...new Set(owners.map(walletIdOf))];
  const organizationIds = [...new Set(owners.map(({ organizationId }) => organizationId))];
  const isAmong = { _id: { $in: ids }, organizationId: { $in: organizationIds } };
  const options = { limit: ids.length, hint: byId, session: transaction };
  const wallets = await findRows<WalletRecord>(Wallet, isAmong, options);
  const pending = new Map(wallets.map((wallet): [string, PendingWallet] => [wallet._id, { wallet, entries: [] }]));

  return {
    post(movement) {
      const walletId = walletIdOf(movement.owner);
      const target = pending.get(walletId);
      if (!target) throw new Error(`No wallet for ${walletId}`);
      const last = target.entries.at(-1);
      const amountCents = assertCents(movement.amountCents);
      const balanceAfterCents = (last?.balanceAfterCents ?? target.wallet.balanceCents) + amountCents;
      if (amountCents < 0 && balanceAfterCents < 0) return false;
      const seq = (last?.seq ?? target.wallet.seq) + 1;
      target.entries.push(toEntry(movement, { seq, balanceAfterCents }));
      return true;
    },

    async write(at) {
      const changed = [...pending.values()].filter(({ entries }) => entries.length > 0);
      const entries = changed.flatMap((each) => each.entries.map((entry) => ({ ...entry, at: timeOf(each, at) })));
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

async function changeBalances(transaction: Transaction, pending: readonly PendingWallet[], at: Date): Promise<void> {
  const changes = pending.map((each) => {
    const { wallet, entries } = each;
    const sumCents = (entries.at(-1)?.balanceAfterCents ?? wallet.balanceCents) - wallet.balanceCents;
    // The update checks the balance again, so two debits can never both spend the same cents.
    const covered = sumCents < 0 ? { balanceCents: { $gte: -sumCents } } : {};
    const filter = { _id: wallet._id, organizationId: wallet.organizationId, seq: wallet.seq, ...covered };
    const change = { $inc: { balanceCents: sumCents, seq: entries.length }, $set: { updatedAt: timeOf(each, at) } };
    return { filter, change };
  });
  const matchedCount = await updateRows(Wallet, changes, transaction);
  // Within a transaction a changed wallet causes a write conflict, which would have thrown already.
  if (matchedCount !== pending.length)
    throw new Error('Optimistic lock failed: wallet `seq` changed since it was read');
}

/**
 * Returns `at`, or the wallet's last time if that is later: process clocks differ, but times in one ledger never
 * decrease.
 */
function timeOf({ wallet }: PendingWallet, at: Date): Date {
  return wallet.updatedAt > at ? wallet.updatedAt : at;
}

/**
 * Posts all movements or none, in their order, and returns the entries. Throws INSUFFICIENT_FUNDS if a wallet cannot
 * cover a movement after those before it; the caller must let that abort the transaction.
 */
export async function moveMoney(
  transaction: Transaction,
  movements: readonly Movement[],
  at: Date,
): Promise<LedgerEntryRecord[]> {
  const batch = await openLedgerBatch(
    transaction,
    movements.map(({ owner }) => owner),
  );
  if (!movements.every((movement) => batch.post(movement))) throw new AppError('INSUFFICIENT_FUNDS');
  return await batch.write(at);
}

/**
 * Returns the id of an owner's wallet. The id is derived from the owner, so each owner has at most one wallet per mode.
 */
export function walletIdOf({ organizationId, mode }: Owner): string {
  return `${organizationId}:${mode}`;
}
