import mongoose, { Schema } from 'mongoose';
import { modelOptions } from '../platform/model-options.ts';

/** Somebody who has signed in on one browser. */
export type SessionRecord = {
  /** SHA-256 of the session's id, which has 256 random bits and is known to the browser alone. */
  _id: string;
  userId: string;
  /** Of the user, when he signed in: a later password ends the session. */
  passwordVersion: number;
  createdAt: Date;
  /** Written at most once a minute. */
  lastSeenAt: Date;
  /** After it the session is dead; MongoDB removes the row some time later. */
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
