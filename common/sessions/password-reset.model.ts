import mongoose, { Schema } from 'mongoose';
import { modelOptions } from '../platform/mongo/model-options.ts';

/** A single-use link to set a new password. */
export type PasswordResetRecord = {
  /** SHA-256 of the token in the link. */
  _id: string;
  userId: string;
  /** The user's version when the link was created. A password set since then invalidates the link. */
  passwordVersion: number;
  expiresAt: Date;
};

const schema = new Schema<PasswordResetRecord>(
  {
    _id: { type: String, required: true },
    userId: { type: String, required: true },
    passwordVersion: { type: Number, required: true },
    expiresAt: { type: Date, required: true },
  },
  { ...modelOptions, collection: 'password_resets' },
);
schema.index({ userId: 1, expiresAt: 1 });
schema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

export const PasswordReset = mongoose.model('PasswordReset', schema);
