import type { AuditActor } from '../audit/audit.model.ts';
import { type NewAuditEntry, recordAudit } from '../audit/record-audit.ts';
import { AppError, hasCode, invalid } from '../errors.ts';
import { type Mode, modes, type Owner } from '../modes.ts';
import { isDuplicateKey } from '../platform/mongo/mongo.ts';
import { inTransaction, type Transaction } from '../platform/mongo/transaction.ts';
import { LedgerEntry, type LedgerEntryRecord } from './ledger/ledger-entry.model.ts';
import { type Movement, moveMoney, walletIdOf } from './ledger/move-money.ts';
import { Wallet, type WalletRecord } from './ledger/wallet.model.ts';

/** The opening balance by mode. A live wallet starts empty. */
const openingCents: Record<Mode, number> = { test: 100_000, live: 0 };

/** Creates both wallets of a new organization, in the transaction that creates it. */
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

/** Returns an owner's wallet. Throws if there is none: every organization is created with two. */
export async function readWallet(owner: Owner): Promise<WalletRecord> {
  const isWallet = { _id: walletIdOf(owner), organizationId: owner.organizationId };
  const wallet = await Wallet.findOne(isWallet).hint({ _id: 1 }).lean<WalletRecord>();
  if (!wallet) throw new Error(`No wallet for ${walletIdOf(owner)}`);
  return wallet;
}

/** The largest amount of one operator command; limits the damage of a typing error. */
const maxTopUpCents = 100_000_000;

/** The result of a movement that an operator requested. */
export type Posting = { wallet: WalletRecord; entry: LedgerEntryRecord; isDuplicate: boolean };

/**
 * Credits a wallet. A repeated reference (of the same wallet) credits nothing and returns the first entry. Throws
 * VALIDATION_ERROR for an amount outside 1 to 100,000,000 cents or an empty reference.
 */
export async function topUpWallet(
  owner: Owner,
  amountCents: number,
  reference: string,
  at: Date,
  by?: AuditActor,
): Promise<Posting> {
  if (!Number.isSafeInteger(amountCents) || amountCents < 1 || amountCents > maxTopUpCents) {
    throw invalid(['cents'], `Give a whole number of cents, 1 to ${maxTopUpCents}.`);
  }
  if (reference.trim() === '') throw invalid(['reference'], 'Give the reference of the payment.');
  return await postOnce({ owner, kind: 'top_up', amountCents, key: topUpKey(owner, reference.trim()) }, at, by);
}

export type Adjustment = {
  /** Signed; a debit is negative. */
  amountCents: number;
  /** Shown in the statement. */
  reason: string;
  reference: string;
};

/**
 * Corrects a balance with a ledger entry of its own; existing entries never change. A repeated reference (of the same
 * wallet) posts nothing and returns the first entry. Throws VALIDATION_ERROR for an amount of 0 or beyond ±100,000,000
 * cents or an empty text, and INSUFFICIENT_FUNDS if the balance cannot cover it.
 */
export async function adjustWallet(
  owner: Owner,
  { amountCents, reason, reference }: Adjustment,
  at: Date,
  by?: AuditActor,
): Promise<Posting> {
  if (!Number.isSafeInteger(amountCents) || amountCents === 0 || Math.abs(amountCents) > maxTopUpCents) {
    throw invalid(['cents'], `Give a whole number of cents, up to ${maxTopUpCents} more or less, and not 0.`);
  }
  if (reference.trim() === '') throw invalid(['reference'], 'Give a reference: it makes the adjustment happen once.');
  if (reason.trim() === '') throw invalid(['reason'], 'Say why: it stands in the statement.');
  const key = `adjustment:${walletIdOf(owner)}:${reference.trim()}`;
  return await postOnce({ owner, kind: 'adjustment', amountCents, key, reason: reason.trim() }, at, by);
}

/** Posts a movement once per key. A duplicate returns the first entry, also when another process posted it. */
async function postOnce(movement: Movement, at: Date, by: AuditActor | undefined): Promise<Posting> {
  const { owner, key } = movement;
  const posted = { walletId: walletIdOf(owner), key };
  await readWallet(owner);
  let isDuplicate = false;
  try {
    await inTransaction(async (transaction) => {
      const [entry] = await moveMoney(transaction, [movement], at);
      if (entry) await recordAudit(toAudit(movement, entry), by, at, transaction);
    });
  } catch (error) {
    // `moveMoney` checks the balance before the key, so a repeat can fail because the first posting used up the balance.
    const isShort = hasCode(error, 'INSUFFICIENT_FUNDS');
    const wasPosted = isDuplicateKey(error) || (isShort && (await LedgerEntry.exists(posted)) !== null);
    if (!wasPosted) throw isShort ? insufficientFunds() : error;
    isDuplicate = true;
  }
  const entry = await LedgerEntry.findOne(posted).orFail().lean<LedgerEntryRecord>();

  return { wallet: await readWallet(owner), entry, isDuplicate };
}

function toAudit({ owner, kind, amountCents }: Movement, { _id: transactionId }: LedgerEntryRecord): NewAuditEntry {
  const { organizationId, mode } = owner;
  const action = kind === 'top_up' ? 'wallet.topped-up' : 'wallet.adjusted';
  return { action, subjectId: walletIdOf(owner), organizationId, mode, detail: { amountCents, transactionId } };
}

function insufficientFunds(): AppError {
  return new AppError('INSUFFICIENT_FUNDS', { message: 'The balance cannot cover this. Take away less.' });
}

const topUpKey = (owner: Owner, reference: string) => `top_up:${walletIdOf(owner)}:${reference}`;
