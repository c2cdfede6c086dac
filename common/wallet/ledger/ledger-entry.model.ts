import mongoose from 'mongoose';
import type { VatPart } from '#common/money.ts';
import * as row from '#common/platform/mongo/row.ts';

export const entryKinds = ['debit', 'refund', 'top_up', 'adjustment'] as const;
export type EntryKind = (typeof entryKinds)[number];

const fields = {
  _id: row.text,
  walletId: row.text,
  /** Counts up from 1 in each wallet, without gaps. */
  seq: row.number,
  kind: row.oneOf(entryKinds),
  /** Signed; a debit is negative. */
  amountCents: row.number,
  balanceAfterCents: row.number,
  /** Idempotency key: `debit:<job>`, `refund:<item>`, `<top_up or adjustment>:<wallet>:<reference>`. */
  key: row.text,
  mailJobId: row.nullable(row.text),
  itemId: row.nullable(row.text),
  /** Set for a letter's debit or refund. Statements read only the ledger. */
  vat: row.optional(row.mixed<readonly VatPart[]>()),
  /** The operator's reason for an adjustment. */
  reason: row.optional(row.text),
  /** Never earlier than the previous entry's `at`, so a time maps to one position in the ledger. */
  at: row.date,
};
/** One movement of money. Append-only: entries are never updated or deleted. An adjustment corrects a mistake. */
export type LedgerEntryRecord = row.RecordOf<typeof fields>;

const rareKinds: EntryKind[] = ['refund', 'top_up', 'adjustment'];

const schema = row.schemaOf('ledger_entries', fields);
schema.index({ walletId: 1, seq: 1 }, { unique: true });
// Finds the position where a month or a time filter starts.
schema.index({ walletId: 1, at: 1, seq: 1 });
// Nearly all entries are debits; a scan by `seq` finds those without this index.
schema.index({ walletId: 1, kind: 1, seq: 1 }, { partialFilterExpression: { kind: { $in: rareKinds } } });
// The key names its wallet or something of its owner, so no two wallets can have the same one.
schema.index({ walletId: 1, key: 1 }, { unique: true });
schema.index({ mailJobId: 1 }, { partialFilterExpression: { mailJobId: { $gt: '' } } });

row.makeAppendOnly(schema, 'The ledger is append only: post an adjustment instead');

export const LedgerEntry = mongoose.model('LedgerEntry', schema);
