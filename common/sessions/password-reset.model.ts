import mongoose from 'mongoose';
import * as row from '../platform/mongo/row.ts';

const fields = {
  /** SHA-256 of the token in the link. */
  _id: row.text,
  userId: row.text,
  /** From 1 to the most links of a user. Unique per user, so concurrent requests cannot create more. */
  place: row.number,
  /** The user's version when the link was created. A password set since then invalidates the link. */
  passwordVersion: row.number,
  expiresAt: row.date,
};
/** A single-use link to set a new password. */
export type PasswordResetRecord = row.RecordOf<typeof fields>;

const schema = row.schemaOf('password_resets', fields);
schema.index({ userId: 1, place: 1 }, { unique: true });
schema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

export const PasswordReset = mongoose.model('PasswordReset', schema);
