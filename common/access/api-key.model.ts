import mongoose, { Schema } from 'mongoose';
import { type Mode, modes } from '../modes.ts';
import { modelOptions } from '../platform/mongo/model-options.ts';
import { type Scope, scopes } from './scopes.ts';

export type ApiKeyRecord = {
  /** The id part of `bjk_<id>_<secret>`: the mode and 80 random bits. */
  _id: string;
  organizationId: string;
  mode: Mode;
  name: string | null;
  scopes: Scope[];
  /** SHA-256 of the secret part, which has 256 random bits. */
  secretHash: string;
  readsPerMinute: number | null;
  writesPerMinute: number | null;
  createdAt: Date;
  lastUsedAt: Date | null;
  revokedAt: Date | null;
};

const schema = new Schema<ApiKeyRecord>(
  {
    _id: { type: String, required: true },
    organizationId: { type: String, required: true },
    mode: { type: String, enum: modes, required: true },
    name: { type: String, default: null },
    scopes: { type: [{ type: String, enum: scopes }], required: true },
    secretHash: { type: String, required: true },
    readsPerMinute: { type: Number, default: null },
    writesPerMinute: { type: Number, default: null },
    createdAt: { type: Date, required: true },
    lastUsedAt: { type: Date, default: null },
    revokedAt: { type: Date, default: null },
  },
  { ...modelOptions, collection: 'api_keys' },
);
schema.index({ organizationId: 1, _id: 1 });

export const ApiKey = mongoose.model('ApiKey', schema);
