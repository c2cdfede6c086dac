import mongoose, { Schema } from 'mongoose';
import { modelOptions } from '../platform/model-options.ts';

/** A link that lets somebody who has forgotten his password set another one, once. */
export type PasswordResetRecord = {
  /** SHA-256 of the token in the link. */
  _id: string;
  userId: string;
  /** Of the user, when he asked: a password that was set since makes the link worthless. */
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
