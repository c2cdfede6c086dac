import { randomUUID } from 'node:crypto';
import { AppError } from '../errors.ts';
import type { Owner } from '../modes.ts';
import { formatCents } from '../money.ts';
import { inTransaction } from '../platform/mongo/transaction.ts';
import { LedgerEntry, type LedgerEntryRecord } from './ledger/ledger-entry.model.ts';
import { moveMoney, walletIdOf } from './ledger/move-money.ts';
import { Wallet, type WalletRecord } from './ledger/wallet.model.ts';
import { readWallet } from './wallets.ts';

/** Limits of test money: per call, and for the balance that such calls may reach. */
export const testTopUp = { maxCents: 10_000_000, maxBalanceCents: 100_000_000 } as const;

export type TestTopUp = { cents: number; idempotencyKey: string | null };

/**
 * Tops up an organization's test wallet. A repeated Idempotency-Key posts nothing and returns the first entry. Throws
 * IDEMPOTENCY_MISMATCH if the amount differs, LIMIT_REACHED if the balance would exceed the limit, and FORBIDDEN for a
 * live wallet, which only takes real money.
 */
export async function topUpTestWallet(
  owner: Owner,
  { cents, idempotencyKey }: TestTopUp,
  at: Date,
): Promise<{ wallet: WalletRecord; transactionId: string }> {
  if (owner.mode !== 'test') throw new AppError('FORBIDDEN');
  const key = `top_up:${walletIdOf(owner)}:test-top-up:${idempotencyKey ?? randomUUID()}`;
  const entry = await writeEntry(owner, key, cents, at);

  return { wallet: await readWallet(owner), transactionId: entry._id };
}

/**
 * Writes the entry, or returns the one that has this key. It is looked for in the transaction: another process may have
 * written it a moment ago, and a read outside would not find it before the database calls it durable.
 */
async function writeEntry(owner: Owner, key: string, amountCents: number, at: Date): Promise<LedgerEntryRecord> {
  const _id = walletIdOf(owner);
  return await inTransaction(async (transaction) => {
    const earlier = await LedgerEntry.findOne({ walletId: _id, key }).session(transaction).lean<LedgerEntryRecord>();
    if (earlier && earlier.amountCents !== amountCents) throw new AppError('IDEMPOTENCY_MISMATCH');
    if (earlier) return earlier;
    // Read inside the transaction: a concurrent movement of this wallet causes a conflict and a retry.
    const isWallet = { _id, organizationId: owner.organizationId };
    const wallet = Wallet.findOne(isWallet).hint({ _id: 1 }).session(transaction).orFail();
    const { balanceCents } = await wallet.lean<WalletRecord>();
    if (balanceCents + amountCents > testTopUp.maxBalanceCents) throw limitReached();
    const [entry] = await moveMoney(transaction, [{ owner, kind: 'top_up', amountCents, key }], at);
    if (!entry) throw new Error('moveMoney returned no ledger entry');
    return entry;
  });
}

function limitReached(): AppError {
  const message = `A test wallet holds at most ${formatCents(testTopUp.maxBalanceCents)}. Top it up by less.`;
  return new AppError('LIMIT_REACHED', { message });
}
