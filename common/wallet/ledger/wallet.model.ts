import mongoose from 'mongoose';
import * as row from '#common/platform/mongo/row.ts';

const fields = {
  /** See `walletIdOf`. */
  _id: row.text,
  ...row.owned,
  balanceCents: row.number,
  /** `seq` of the last ledger entry. */
  seq: row.number,
  /** The balance is low when below this; null or absent: never. */
  lowBalanceCents: row.optional(row.nullable(row.number)),
  /** When the organization was notified of the low balance; null or absent while the balance is not low. */
  lowSince: row.optional(row.nullable(row.date)),
  /** Time of the last movement; never decreases. */
  updatedAt: row.date,
};
/** The prepaid balance of an organization in one mode. Only `move-money` changes the balance. */
export type WalletRecord = row.RecordOf<typeof fields>;

const schema = row.schemaOf('wallets', fields);
schema.index({ organizationId: 1, mode: 1 }, { unique: true });
// Wallets with a threshold, which are checked once a minute.
schema.index({ lowBalanceCents: 1 }, { partialFilterExpression: { lowBalanceCents: { $gt: 0 } } });

export const Wallet = mongoose.model('Wallet', schema);
