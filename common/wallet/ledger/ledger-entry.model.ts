import mongoose, { Schema } from 'mongoose';
import type { VatPart } from '#common/money.ts';
import { modelOptions } from '#common/platform/mongo/model-options.ts';

export const entryKinds = ['debit', 'refund', 'top_up', 'adjustment'] as const;
export type EntryKind = (typeof entryKinds)[number];

/** One movement of money. Append-only: entries are never updated or deleted. An adjustment corrects a mistake. */
export type LedgerEntryRecord = {
  _id: string;
  walletId: string;
  /** Counts up from 1 in each wallet, without gaps. */
  seq: number;
  kind: EntryKind;
  /** Signed; a debit is negative. */
  amountCents: number;
  balanceAfterCents: number;
  /** Idempotency key: `debit:<job>`, `refund:<item>`, `<top_up or adjustment>:<wallet>:<reference>`. */
  key: string;
  mailJobId: string | null;
  itemId: string | null;
  /** Set for a letter's debit or refund. Statements read only the ledger. */
  vat?: readonly VatPart[];
  /** The operator's reason for an adjustment. */
  reason?: string;
  /** Never earlier than the previous entry's `at`, so a time maps to one position in the ledger. */
  at: Date;
};

const rareKinds: EntryKind[] = ['refund', 'top_up', 'adjustment'];

const schema = new Schema<LedgerEntryRecord>(
  {
    _id: { type: String, required: true },
    walletId: { type: String, required: true },
    seq: { type: Number, required: true },
    kind: { type: String, enum: entryKinds, required: true },
    amountCents: { type: Number, required: true },
    balanceAfterCents: { type: Number, required: true },
    key: { type: String, required: true },
    mailJobId: { type: String, default: null },
    itemId: { type: String, default: null },
    vat: { type: Schema.Types.Mixed },
    reason: { type: String },
    at: { type: Date, required: true },
  },
  { ...modelOptions, collection: 'ledger_entries' },
);
schema.index({ walletId: 1, seq: 1 }, { unique: true });
// Finds the position where a month or a time filter starts.
schema.index({ walletId: 1, at: 1, seq: 1 });
// Nearly all entries are debits; a scan by `seq` finds those without this index.
schema.index({ walletId: 1, kind: 1, seq: 1 }, { partialFilterExpression: { kind: { $in: rareKinds } } });
schema.index({ key: 1 }, { unique: true });
schema.index({ mailJobId: 1 }, { partialFilterExpression: { mailJobId: { $gt: '' } } });

function refuse(): never {
  throw new Error('The ledger is append only: post an adjustment instead');
}
schema.pre(['updateOne', 'updateMany', 'replaceOne', 'findOneAndUpdate', 'findOneAndReplace'], refuse);
schema.pre(['deleteOne', 'deleteMany', 'findOneAndDelete'], refuse);
schema.pre(['updateOne', 'deleteOne'], { document: true, query: false }, refuse);
schema.pre('save', function () {
  if (!this.isNew) refuse();
});
schema.pre('bulkWrite', (operations: readonly object[]) => {
  if (operations.some((operation) => !('insertOne' in operation))) refuse();
});

export const LedgerEntry = mongoose.model('LedgerEntry', schema);
