import mongoose from 'mongoose';
import * as row from '../platform/mongo/row.ts';

const fields = {
  /** The account, the known browser if any, and the day; see `rowId` in `failed-sign-ins.ts`. */
  _id: row.text,
  /** The account, to find all its rows. */
  account: row.text,
  attempts: row.defaulting(row.number, 0),
  /** The highest step recorded in the audit log. */
  recorded: row.defaulting(row.number, 0),
  /** When the owner was notified; null until then. */
  toldAt: row.nullable(row.date),
  expiresAt: row.date,
};
/** Failed sign-ins to one account on one day, whether the account exists or not. */
export type FailedSignInRecord = row.RecordOf<typeof fields>;

const schema = row.schemaOf('failed_sign_ins', fields);
schema.index({ account: 1 });
schema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

export const FailedSignIn = mongoose.model('FailedSignIn', schema);
