import mongoose from 'mongoose';
import * as row from '../platform/mongo/row.ts';

const fields = {
  /** SHA-256 of the session id, which has 256 random bits and is known only to the browser. */
  _id: row.text,
  userId: row.text,
  /** The user's version at sign-in. A newer password ends the session. */
  passwordVersion: row.number,
  createdAt: row.date,
  /** Updated at most once a minute. */
  lastSeenAt: row.date,
  /** The session is invalid after this. MongoDB removes the row some time later. */
  expiresAt: row.date,
};
/** A signed-in user in one browser. */
export type SessionRecord = row.RecordOf<typeof fields>;

const schema = row.schemaOf('sessions', fields);
schema.index({ userId: 1 });
schema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

export const Session = mongoose.model('Session', schema);
