import mongoose, { Schema } from 'mongoose';
import { modelOptions } from '../platform/mongo/model-options.ts';

/** Failed sign-ins to one account on one day, whether the account exists or not. */
export type FailedSignInRecord = {
  /** The account, the known browser if any, and the day; see `rowId` in `failed-sign-ins.ts`. */
  _id: string;
  /** The account, to find all its rows. */
  account: string;
  attempts: number;
  /** The highest step recorded in the audit log. */
  recorded: number;
  /** When the owner was notified; null until then. */
  toldAt: Date | null;
  expiresAt: Date;
};

const schema = new Schema<FailedSignInRecord>(
  {
    _id: { type: String, required: true },
    account: { type: String, required: true },
    attempts: { type: Number, default: 0 },
    recorded: { type: Number, default: 0 },
    toldAt: { type: Date, default: null },
    expiresAt: { type: Date, required: true },
  },
  { ...modelOptions, collection: 'failed_sign_ins' },
);
schema.index({ account: 1 });
schema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

export const FailedSignIn = mongoose.model('FailedSignIn', schema);
