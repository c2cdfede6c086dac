import mongoose, { Schema } from 'mongoose';
import { type Mode, modes } from '../modes.ts';
import { modelOptions } from '../platform/model-options.ts';

/** The prepaid balance of one mode of an organization. Only `move-money` changes the balance. */
export type WalletRecord = {
  /** See `walletIdOf`. */
  _id: string;
  organizationId: string;
  mode: Mode;
  balanceCents: number;
  /** Number of the last ledger entry. */
  seq: number;
  /** Below it the balance counts as low; null or absent, and it never does. */
  lowBalanceCents?: number | null;
  /** Since when the organization knows that the balance is low; null or absent while it is not. */
  lowSince?: Date | null;
  /** Of the last movement; never goes back. */
  updatedAt: Date;
};

const schema = new Schema<WalletRecord>(
  {
    _id: { type: String, required: true },
    organizationId: { type: String, required: true },
    mode: { type: String, enum: modes, required: true },
    balanceCents: { type: Number, required: true },
    seq: { type: Number, required: true },
    lowBalanceCents: { type: Number, default: null },
    lowSince: { type: Date, default: null },
    updatedAt: { type: Date, required: true },
  },
  { ...modelOptions, collection: 'wallets' },
);
schema.index({ organizationId: 1, mode: 1 }, { unique: true });
// Those with a threshold, which are looked at once a minute.
schema.index({ lowBalanceCents: 1 }, { partialFilterExpression: { lowBalanceCents: { $gt: 0 } } });

export const Wallet = mongoose.model('Wallet', schema);
