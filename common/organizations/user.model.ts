import mongoose, { Schema } from 'mongoose';
import { type Language, languages } from '../languages.ts';
import { modelOptions } from '../platform/mongo/model-options.ts';

export type UserRecord = {
  _id: string;
  organizationId: string;
  /** Lower case; unique across organizations. */
  email: string;
  /** argon2id; see `password.ts`. */
  passwordHash: string;
  /** Incremented with every new password. Sessions of an earlier version are invalid. */
  passwordVersion: number;
  /** Language of pages and mails; null follows the browser. */
  language: Language | null;
  /** Grants access to the operator's pages, across organizations. */
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
