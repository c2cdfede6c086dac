import mongoose from 'mongoose';
import * as row from '../platform/mongo/row.ts';

const fields = {
  /** SHA-256 of the token in the link. */
  _id: row.text,
  userId: row.text,
  /** The user's version when the link was created. A password set since then invalidates the link. */
  passwordVersion: row.number,
  expiresAt: row.date,
};
/** A single-use link to set a new password. */
export type PasswordResetRecord = row.RecordOf<typeof fields>;

const schema = row.schemaOf('password_resets', fields);
schema.index({ userId: 1, expiresAt: 1 });
schema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

export const PasswordReset = mongoose.model('PasswordReset', schema);
