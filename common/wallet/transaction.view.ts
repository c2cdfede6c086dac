import { z } from 'zod';
import { currency } from '../money.ts';
import { openList } from '../open-list.schema.ts';
import { entryKinds } from './entry-kind.ts';
import type { LedgerEntryRecord } from './ledger-entry.model.ts';

const lineFields = {
  transactionId: z.string(),
  seq: z.int().min(1).describe("Counts the wallet's transactions, without a gap."),
  kind: openList(entryKinds),
  amountCents: z.int().describe('What is taken from the wallet is negative.'),
  balanceAfterCents: z.int(),
  mailJobId: z.string().nullable().describe('Of a debit or refund.'),
  itemId: z.string().nullable().describe('Of a refund: the copy that was given back.'),
  reference: z.string().nullable().describe('Of a top-up or adjustment: the payment or case that it belongs to.'),
  reason: z.string().nullable().describe('Of an adjustment.'),
  createdAt: z.iso.datetime(),
};

/** The filter of lists by kind. */
export const TransactionKind = z.enum(entryKinds);
export type TransactionKind = z.infer<typeof TransactionKind>;

/** One movement of money as its owner sees it, in a list. */
export const WalletTransaction = z
  .object({ ...lineFields, currency: z.literal(currency) })
  .meta({ id: 'WalletTransaction' });
export type WalletTransaction = z.infer<typeof WalletTransaction>;

/** The same in a statement, which names the currency once. */
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

/** The key of a movement that an operator makes ends with his reference. */
function referenceOf({ kind, key, walletId }: LedgerEntryRecord): string | null {
  const start = `${kind}:${walletId}:`;
  return key.startsWith(start) ? key.slice(start.length) : null;
}
