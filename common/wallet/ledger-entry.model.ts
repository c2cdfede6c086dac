import mongoose, { Schema } from 'mongoose';
import type { VatPart } from '../money.ts';
import { modelOptions } from '../platform/model-options.ts';
import { type EntryKind, entryKinds } from './entry-kind.ts';

/** One movement of money. Append only: nothing updates or deletes one; a mistake is mended by an adjustment. */
export type LedgerEntryRecord = {
  _id: string;
  walletId: string;
  /** 1, 2, 3 … in each wallet, without a gap. */
  seq: number;
  kind: EntryKind;
  /** Signed: what is taken from the wallet is negative. */
  amountCents: number;
  balanceAfterCents: number;
  /** What makes the movement happen once: `debit:<job>`, `refund:<item>`, `<top_up or adjustment>:<wallet>:<reference>`. */
  key: string;
  mailJobId: string | null;
  itemId: string | null;
  /** Of a letter's debit or refund, so that a statement needs nothing but the ledger; absent in the oldest entries. */
  vat?: readonly VatPart[];
  /** Why money was adjusted, in the operator's words. */
  reason?: string;
  /** Never before the `at` of the entry before: in a ledger, a time is a place. */
  at: Date;
};

/** Everything but debits. */
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
// Where in the ledger a month, or a filter by time, begins.
schema.index({ walletId: 1, at: 1, seq: 1 });
// Debits are nearly all there is, and are found without.
schema.index({ walletId: 1, kind: 1, seq: 1 }, { partialFilterExpression: { kind: { $in: rareKinds } } });
schema.index({ key: 1 }, { unique: true });
schema.index({ mailJobId: 1 }, { partialFilterExpression: { mailJobId: { $gt: '' } } });

/** Refuses what would change or remove an entry. */
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
