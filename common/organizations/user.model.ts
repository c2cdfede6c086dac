import mongoose from 'mongoose';
import { languages } from '../languages.ts';
import * as row from '../platform/mongo/row.ts';

const fields = {
  _id: row.text,
  organizationId: row.text,
  /** Lower case; unique across organizations. */
  email: row.text,
  /** argon2id; see `password.ts`. */
  passwordHash: row.text,
  /** Incremented with every new password. Sessions of an earlier version are invalid. */
  passwordVersion: row.number,
  /** Language of pages and mails; null follows the browser. */
  language: row.nullable(row.oneOf(languages)),
  /** Grants access to the operator's pages, across organizations. */
  isAdmin: row.flag,
  createdAt: row.date,
};
export type UserRecord = row.RecordOf<typeof fields>;

const schema = row.schemaOf('users', fields);
schema.index({ email: 1 }, { unique: true });
schema.index({ organizationId: 1, _id: 1 });

export const User = mongoose.model('User', schema);
