import { AppError, invalid } from '../errors.ts';
import { type Mode, modes, type Owner } from '../modes.ts';
import type { AuditActor } from '../organizations/audit.model.ts';
import { type NewAuditEntry, recordAudit } from '../organizations/record-audit.ts';
import { isDuplicateKey } from '../platform/mongo.ts';
import { inTransaction, type Transaction } from '../platform/transaction.ts';
import { LedgerEntry, type LedgerEntryRecord } from './ledger-entry.model.ts';
import { type Movement, moveMoney, walletIdOf } from './move-money.ts';
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

/** The most that moves at once; a slip of the finger in the operator's command should not make a millionaire. */
const maxTopUpCents = 100_000_000;

/** What came of a movement that an operator has asked for. */
export type Posting = { wallet: WalletRecord; entry: LedgerEntryRecord; isDuplicate: boolean };

/**
 * Credits a wallet. The same reference again (of the same wallet) credits nothing and answers with the first entry.
 * Throws VALIDATION_ERROR for an amount outside 1 to 100,000,000 cents or an empty reference.
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
  /** Signed: what is taken from the wallet is negative. */
  amountCents: number;
  /** For whoever reads the statement. */
  reason: string;
  reference: string;
};

/**
 * Mends a wallet by an entry of its own: no other one is ever changed. The same reference again (of the same wallet)
 * moves nothing and answers with the first entry. Throws VALIDATION_ERROR for an amount that is 0 or beyond 100,000,000
 * cents, or an empty text, and INSUFFICIENT_FUNDS for one that the balance cannot cover.
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

/** Posts a movement unless its key was used: whoever comes second, from whatever process, finds the entry of the first. */
async function postOnce(movement: Movement, at: Date, by: AuditActor | undefined): Promise<Posting> {
  const { owner, key } = movement;
  await readWallet(owner);
  let isDuplicate = false;
  try {
    await inTransaction(async (transaction) => {
      const [entry] = await moveMoney(transaction, [movement], at);
      if (entry) await recordAudit(toAudit(movement, entry), by, at, transaction);
    });
  } catch (error) {
    const wasPosted = isDuplicateKey(error) || (isShort(error) && (await LedgerEntry.exists({ key })) !== null);
    if (!wasPosted) throw isShort(error) ? tooShort() : error;
    isDuplicate = true;
  }
  const entry = await LedgerEntry.findOne({ key }).orFail().lean<LedgerEntryRecord>();

  return { wallet: await readWallet(owner), entry, isDuplicate };
}

function toAudit({ owner, kind, amountCents }: Movement, { _id: transactionId }: LedgerEntryRecord): NewAuditEntry {
  const { organizationId, mode } = owner;
  const action = kind === 'top_up' ? 'wallet.topped-up' : 'wallet.adjusted';
  return { action, subjectId: walletIdOf(owner), organizationId, detail: { mode, amountCents, transactionId } };
}

function tooShort(): AppError {
  return new AppError('INSUFFICIENT_FUNDS', { message: 'The balance cannot cover this. Take away less.' });
}

/** A balance is judged before a key is: a repeat may find that the first one has left too little for a second. */
function isShort(error: unknown): boolean {
  return error instanceof AppError && error.code === 'INSUFFICIENT_FUNDS';
}

const topUpKey = (owner: Owner, reference: string) => `top_up:${walletIdOf(owner)}:${reference}`;
