import mongoose, { Schema } from 'mongoose';
import { modelOptions } from '../platform/mongo/model-options.ts';

/** A signed-in user in one browser. */
export type SessionRecord = {
  /** SHA-256 of the session id, which has 256 random bits and is known only to the browser. */
  _id: string;
  userId: string;
  /** The user's version at sign-in. A newer password ends the session. */
  passwordVersion: number;
  createdAt: Date;
  /** Updated at most once a minute. */
  lastSeenAt: Date;
  /** The session is invalid after this. MongoDB removes the row some time later. */
  expiresAt: Date;
};

const schema = new Schema<SessionRecord>(
  {
    _id: { type: String, required: true },
    userId: { type: String, required: true },
    passwordVersion: { type: Number, required: true },
    createdAt: { type: Date, required: true },
    lastSeenAt: { type: Date, required: true },
    expiresAt: { type: Date, required: true },
  },
  { ...modelOptions, collection: 'sessions' },
);
schema.index({ userId: 1 });
schema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

export const Session = mongoose.model('Session', schema);
