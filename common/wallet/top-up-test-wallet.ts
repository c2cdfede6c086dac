import { randomUUID } from 'node:crypto';
import { AppError } from '../errors.ts';
import type { Owner } from '../modes.ts';
import { formatCents } from '../money.ts';
import { isDuplicateKey } from '../platform/mongo.ts';
import { inTransaction } from '../platform/transaction.ts';
import { LedgerEntry, type LedgerEntryRecord } from './ledger-entry.model.ts';
import { moveMoney, walletIdOf } from './move-money.ts';
import { Wallet, type WalletRecord } from './wallet.model.ts';
import { readWallet } from './wallets.ts';

/** Play money has bounds too: what one call gives, and what a test wallet may come to hold by such calls. */
export const testTopUp = { maxCents: 10_000_000, maxBalanceCents: 100_000_000 } as const;

export type TestTopUp = { cents: number; idempotencyKey: string | null };

/**
 * Fills the test wallet of an organization. The same Idempotency-Key again fills nothing and answers with the first
 * entry; with another amount it throws IDEMPOTENCY_MISMATCH. Throws LIMIT_REACHED when the wallet would hold too much,
 * and FORBIDDEN for a live wallet, which takes money only.
 */
export async function topUpTestWallet(
  owner: Owner,
  { cents, idempotencyKey }: TestTopUp,
  at: Date,
): Promise<{ wallet: WalletRecord; transactionId: string }> {
  if (owner.mode !== 'test') throw new AppError('FORBIDDEN');
  const key = `top_up:${walletIdOf(owner)}:test-top-up:${idempotencyKey ?? randomUUID()}`;
  const entry = (await findEntry(key, cents)) ?? (await writeEntry(owner, key, cents, at));

  return { wallet: await readWallet(owner), transactionId: entry._id };
}

async function findEntry(key: string, cents: number): Promise<LedgerEntryRecord | null> {
  const entry = await LedgerEntry.findOne({ key }).read('primary').readConcern('majority').lean<LedgerEntryRecord>();
  if (entry && entry.amountCents !== cents) throw new AppError('IDEMPOTENCY_MISMATCH');
  return entry;
}

async function writeEntry(owner: Owner, key: string, amountCents: number, at: Date): Promise<LedgerEntryRecord> {
  const _id = walletIdOf(owner);
  try {
    const [entry] = await inTransaction(async (transaction) => {
      // Read in the transaction that fills it: whoever moves money of this wallet meanwhile makes this begin again.
      const { balanceCents } = await Wallet.findById(_id).session(transaction).orFail().lean<WalletRecord>();
      if (balanceCents + amountCents > testTopUp.maxBalanceCents) throw tooMuch();
      return await moveMoney(transaction, [{ owner, kind: 'top_up', amountCents, key }], at);
    });
    if (!entry) throw new Error('A movement of money without an entry');
    return entry;
  } catch (error) {
    // A twin of this request was faster, and may have filled the wallet so far that no second one would fit.
    const twin = isDuplicateKey(error) || isTooMuch(error) ? await findEntry(key, amountCents) : null;
    if (twin) return twin;
    throw error;
  }
}

function isTooMuch(error: unknown): boolean {
  return error instanceof AppError && error.code === 'LIMIT_REACHED';
}

function tooMuch(): AppError {
  const message = `A test wallet holds at most ${formatCents(testTopUp.maxBalanceCents)}. Top it up by less.`;
  return new AppError('LIMIT_REACHED', { message });
}
