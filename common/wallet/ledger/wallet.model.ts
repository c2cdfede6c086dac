import mongoose, { Schema } from 'mongoose';
import { type Mode, modes } from '#common/modes.ts';
import { modelOptions } from '#common/platform/mongo/model-options.ts';

/** The prepaid balance of an organization in one mode. Only `move-money` changes the balance. */
export type WalletRecord = {
  /** See `walletIdOf`. */
  _id: string;
  organizationId: string;
  mode: Mode;
  balanceCents: number;
  /** `seq` of the last ledger entry. */
  seq: number;
  /** The balance is low when below this; null or absent: never. */
  lowBalanceCents?: number | null;
  /** When the organization was notified of the low balance; null or absent while the balance is not low. */
  lowSince?: Date | null;
  /** Time of the last movement; never decreases. */
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
// Wallets with a threshold, which are checked once a minute.
schema.index({ lowBalanceCents: 1 }, { partialFilterExpression: { lowBalanceCents: { $gt: 0 } } });

export const Wallet = mongoose.model('Wallet', schema);
