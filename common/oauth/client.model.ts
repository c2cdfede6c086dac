import mongoose, { Schema } from 'mongoose';
import { type Scope, scopes } from '../access/scopes.ts';
import { type Mode, modes } from '../modes.ts';
import { modelOptions } from '../platform/mongo/model-options.ts';

/** An application that may ask users for access to their organization's mail. */
export type OAuthClientRecord = {
  /** `bjc_` and 80 random bits. */
  _id: string;
  /** What users see on the consent page. */
  name: string;
  mode: Mode;
  /** Matched exactly, as strings. */
  redirectUris: string[];
  /** The scopes it may request. */
  scopes: Scope[];
  /** SHA-256 of its secrets (256 random bits each), newest first: one, or two while a rotation overlaps. */
  secretHashes: string[];
  /** When the second secret stops working. */
  formerSecretEndsAt: Date | null;
  /** Successful token requests per minute; null for the installation's default. */
  tokensPerMinute?: number | null;
  createdAt: Date;
  /** A disabled application gets no tokens and cannot ask for consent. */
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
    tokensPerMinute: { type: Number, default: null },
    createdAt: { type: Date, required: true },
    disabledAt: { type: Date, default: null },
  },
  { ...modelOptions, collection: 'oauth_clients' },
);
schema.index({ name: 1, _id: 1 });

export const OAuthClient = mongoose.model('OAuthClient', schema);
