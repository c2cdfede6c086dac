import mongoose, { Schema } from 'mongoose';
import { type Language, languages } from '../languages.ts';
import { modelOptions } from '../platform/model-options.ts';

export type UserRecord = {
  _id: string;
  organizationId: string;
  /** Lower case; unique over all organizations. */
  email: string;
  /** argon2id, see `password`. */
  passwordHash: string;
  /** How often the password was set anew; a session of an earlier password is dead by this alone. */
  passwordVersion: number;
  /** What pages and mails are written in; null for whatever the browser asks for. */
  language: Language | null;
  /** May see the operator's pages, over all organizations. */
  isAdmin: boolean;
  createdAt: Date;
};

const schema = new Schema<UserRecord>(
  {
    _id: { type: String, required: true },
    organizationId: { type: String, required: true },
    email: { type: String, required: true },
    passwordHash: { type: String, required: true },
    passwordVersion: { type: Number, required: true },
    language: { type: String, enum: [...languages, null], default: null },
    isAdmin: { type: Boolean, required: true },
    createdAt: { type: Date, required: true },
  },
  { ...modelOptions, collection: 'users' },
);
schema.index({ email: 1 }, { unique: true });
schema.index({ organizationId: 1, _id: 1 });

export const User = mongoose.model('User', schema);
