import mongoose, { Schema } from 'mongoose';
import { modelOptions } from '../platform/model-options.ts';

export const entryKinds = ['debit', 'refund', 'top_up', 'adjustment'] as const;
export type EntryKind = (typeof entryKinds)[number];

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
  /** What makes the movement happen once: `debit:<job>`, `refund:<item>`, `top_up:<organization>:<mode>:<reference>`. */
  key: string;
  mailJobId: string | null;
  itemId: string | null;
  at: Date;
};

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
    at: { type: Date, required: true },
  },
  { ...modelOptions, collection: 'ledger_entries' },
);
schema.index({ walletId: 1, seq: 1 }, { unique: true });
schema.index({ key: 1 }, { unique: true });
schema.index({ mailJobId: 1 }, { partialFilterExpression: { mailJobId: { $gt: '' } } });

export const LedgerEntry = mongoose.model('LedgerEntry', schema);
