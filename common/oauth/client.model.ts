import mongoose, { Schema } from 'mongoose';
import { type Scope, scopes } from '../access/scopes.ts';
import { type Mode, modes } from '../modes.ts';
import { modelOptions } from '../platform/model-options.ts';

/** An application that may ask users for access to their post. */
export type OAuthClientRecord = {
  /** `bjc_` and 80 random bits. */
  _id: string;
  /** What users see on the consent page. */
  name: string;
  mode: Mode;
  /** Compared character by character. */
  redirectUris: string[];
  /** The most that it may ask for. */
  scopes: Scope[];
  /** SHA-256 of its secrets, of 256 random bits each, the newest first: one, or two while a rotation overlaps. */
  secretHashes: string[];
  /** Until when the second secret works. */
  formerSecretEndsAt: Date | null;
  createdAt: Date;
  /** A disabled application gets no tokens, and asks nobody. */
  disabledAt: Date | null;
};

const schema = new Schema<OAuthClientRecord>(
  {
    _id: { type: String, required: true },
    name: { type: String, required: true },
    mode: { type: String, enum: modes, required: true },
    redirectUris: { type: [String], required: true },
    scopes: { type: [{ type: String, enum: scopes }], required: true },
    secretHashes: { type: [String], required: true },
    formerSecretEndsAt: { type: Date, default: null },
    createdAt: { type: Date, required: true },
    disabledAt: { type: Date, default: null },
  },
  { ...modelOptions, collection: 'oauth_clients' },
);
schema.index({ name: 1, _id: 1 });

export const OAuthClient = mongoose.model('OAuthClient', schema);
