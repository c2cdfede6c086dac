import { invalid } from '../errors.ts';
import { type Mode, modes, type Owner } from '../modes.ts';
import { isDuplicateKey } from '../platform/mongo.ts';
import { inTransaction, type Transaction } from '../platform/transaction.ts';
import { LedgerEntry, type LedgerEntryRecord } from './ledger-entry.model.ts';
import { moveMoney, walletIdOf } from './move-money.ts';
import { Wallet, type WalletRecord } from './wallet.model.ts';

/** What a new wallet holds: a test wallet is filled for trying out, a live one waits for money. */
const openingCents: Record<Mode, number> = { test: 100_000, live: 0 };

/** Opens both wallets of a new organization, in the transaction that makes it. */
export async function openWallets(transaction: Transaction, organizationId: string, at: Date): Promise<void> {
  const wallets = modes.map((mode): WalletRecord => {
    const owner = { organizationId, mode };
    return { _id: walletIdOf(owner), ...owner, balanceCents: 0, seq: 0, updatedAt: at };
  });
  await Wallet.insertMany(wallets, { session: transaction });
  const openings = modes.filter((mode) => openingCents[mode] > 0);
  await moveMoney(
    transaction,
    openings.map((mode) => ({
      owner: { organizationId, mode },
      kind: 'top_up',
      amountCents: openingCents[mode],
      key: topUpKey({ organizationId, mode }, 'opening balance'),
    })),
    at,
  );
}

/** Throws when the organization has no wallet: every organization has two from its first moment. */
export async function readWallet(owner: Owner): Promise<WalletRecord> {
  const wallet = await Wallet.findById(walletIdOf(owner)).lean<WalletRecord>();
  if (!wallet) throw new Error(`No wallet for ${walletIdOf(owner)}`);
  return wallet;
}

/** The largest top-up at once; a slip of the finger in the operator's command should not make a millionaire. */
const maxTopUpCents = 100_000_000;

export type TopUp = { wallet: WalletRecord; entry: LedgerEntryRecord; isDuplicate: boolean };

/**
 * Credits a wallet. The same reference again (of the same wallet) credits nothing and answers with the first entry.
 * Throws VALIDATION_ERROR for an amount outside 1 to 100,000,000 cents or an empty reference.
 */
export async function topUpWallet(owner: Owner, amountCents: number, reference: string, at: Date): Promise<TopUp> {
  if (!Number.isSafeInteger(amountCents) || amountCents < 1 || amountCents > maxTopUpCents) {
    throw invalid(['cents'], `Give a whole number of cents, 1 to ${maxTopUpCents}.`);
  }
  if (reference.trim() === '') throw invalid(['reference'], 'Give the reference of the payment.');
  await readWallet(owner);
  const key = topUpKey(owner, reference.trim());
  let isDuplicate = false;
  try {
    await inTransaction(async (transaction) => {
      await moveMoney(transaction, [{ owner, kind: 'top_up', amountCents, key }], at);
    });
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    isDuplicate = true;
  }
  const entry = await LedgerEntry.findOne({ key }).orFail().lean<LedgerEntryRecord>();

  return { wallet: await readWallet(owner), entry, isDuplicate };
}

const topUpKey = (owner: Owner, reference: string) => `top_up:${walletIdOf(owner)}:${reference}`;
