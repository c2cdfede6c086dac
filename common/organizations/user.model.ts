import mongoose, { Schema } from 'mongoose';
import { modelOptions } from '../platform/model-options.ts';

export type UserRecord = {
  _id: string;
  organizationId: string;
  /** Lower case; unique over all organizations. */
  email: string;
  /** argon2id, see `password`. */
  passwordHash: string;
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
    isAdmin: { type: Boolean, required: true },
    createdAt: { type: Date, required: true },
  },
  { ...modelOptions, collection: 'users' },
);
schema.index({ email: 1 }, { unique: true });
schema.index({ organizationId: 1, _id: 1 });

export const User = mongoose.model('User', schema);
