import { z } from 'zod';
import { openEnum } from '#common/fields/open-enum.schema.ts';
import { currency } from '#common/money.ts';
import { entryKinds, type LedgerEntryRecord } from './ledger-entry.model.ts';

const lineFields = {
  transactionId: z.string(),
  seq: z.int().min(1).describe("Counts the wallet's transactions, without a gap."),
  kind: openEnum(entryKinds),
  amountCents: z.int().describe('What is taken from the wallet is negative.'),
  balanceAfterCents: z.int(),
  mailJobId: z.string().nullable().describe('Of a debit or refund.'),
  itemId: z.string().nullable().describe('Of a refund: the copy that was given back.'),
  reference: z.string().nullable().describe('Of a top-up or adjustment: the payment or case that it belongs to.'),
  reason: z.string().nullable().describe('Of an adjustment.'),
  createdAt: z.iso.datetime(),
};

/** The `kind` filter of lists. */
export const TransactionKind = z.enum(entryKinds);
export type TransactionKind = z.infer<typeof TransactionKind>;

/** A ledger entry in its public form, as lists return it. */
export const WalletTransaction = z
  .object({ ...lineFields, currency: z.literal(currency) })
  .meta({ id: 'WalletTransaction' });
export type WalletTransaction = z.infer<typeof WalletTransaction>;

/** The same entry in a statement, which names the currency once. */
export const StatementLine = z.object(lineFields).meta({ id: 'StatementLine' });
export type StatementLine = z.infer<typeof StatementLine>;

export function toStatementLine(entry: LedgerEntryRecord): StatementLine {
  const { seq, kind, amountCents, balanceAfterCents, mailJobId, itemId, reason = null, at } = entry;
  const createdAt = at.toISOString();
  const reference = referenceOf(entry);
  return {
    transactionId: entry._id,
    seq,
    kind,
    amountCents,
    balanceAfterCents,
    mailJobId,
    itemId,
    reference,
    reason,
    createdAt,
  };
}

export function toWalletTransaction(entry: LedgerEntryRecord): WalletTransaction {
  return { ...toStatementLine(entry), currency };
}

/** Returns the reference at the end of the key of a top-up or adjustment, null for other kinds. */
function referenceOf({ kind, key, walletId }: LedgerEntryRecord): string | null {
  const start = `${kind}:${walletId}:`;
  return key.startsWith(start) ? key.slice(start.length) : null;
}
