import mongoose, { Schema } from 'mongoose';
import { type Scope, scopes } from '../access/scopes.ts';
import { type Mode, modes } from '../modes.ts';
import { modelOptions } from '../platform/mongo/model-options.ts';

/** Why a grant was revoked. */
export const revocationReasons = ['user', 'application', 'operator', 'code-replay', 'refresh-replay'] as const;
export type RevocationReason = (typeof revocationReasons)[number];

/** One consent of a user to one application, with the SHA-256 of every code and token issued for it. */
export type GrantRecord = {
  /** 80 random bits, contained in each of its tokens. */
  _id: string;
  clientId: string;
  organizationId: string;
  /** The user who consented. */
  userId: string;
  mode: Mode;
  /** The scopes the user agreed to. An access token has these or fewer. */
  scopes: Scope[];
  code: { hash: string; redirectUri: string; challenge: string; expiresAt: Date; usedAt: Date | null };
  /** The current refresh token and the one it replaced; null until the code is exchanged. */
  refresh: { hash: string; previousHash: string | null; rotatedAt: Date; expiresAt: Date } | null;
  /** `scopes` is null for all scopes of the grant. */
  accessTokens: { hash: string; scopes: Scope[] | null; expiresAt: Date }[];
  createdAt: Date;
  /** Refreshing does not extend the grant beyond this. */
  expiresAt: Date;
  revokedAt: Date | null;
  revokedBecause: RevocationReason | null;
  /** When MongoDB removes the row. */
  removeAt: Date;
};

const scopeList = [{ type: String, enum: scopes }];
const part = { _id: false } as const;
const codeSchema = new Schema(
  {
    hash: { type: String, required: true },
    redirectUri: { type: String, required: true },
    challenge: { type: String, required: true },
    expiresAt: { type: Date, required: true },
    usedAt: { type: Date, default: null },
  },
  part,
);
const refreshSchema = new Schema(
  {
    hash: { type: String, required: true },
    previousHash: { type: String, default: null },
    rotatedAt: { type: Date, required: true },
    expiresAt: { type: Date, required: true },
  },
  part,
);
const accessTokenSchema = new Schema(
  {
    hash: { type: String, required: true },
    scopes: { type: scopeList, default: null },
    expiresAt: { type: Date, required: true },
  },
  part,
);

const schema = new Schema<GrantRecord>(
  {
    _id: { type: String, required: true },
    clientId: { type: String, required: true },
    organizationId: { type: String, required: true },
    userId: { type: String, required: true },
    mode: { type: String, enum: modes, required: true },
    scopes: { type: scopeList, required: true },
    code: { type: codeSchema, required: true },
    refresh: { type: refreshSchema, default: null },
    accessTokens: { type: [accessTokenSchema], required: true },
    createdAt: { type: Date, required: true },
    expiresAt: { type: Date, required: true },
    revokedAt: { type: Date, default: null },
    revokedBecause: { type: String, enum: [...revocationReasons, null], default: null },
    removeAt: { type: Date, required: true },
  },
  { ...modelOptions, collection: 'oauth_grants' },
);
schema.index({ organizationId: 1, clientId: 1 });
schema.index({ clientId: 1 });
schema.index({ removeAt: 1 }, { expireAfterSeconds: 0 });

export const OAuthGrant = mongoose.model('OAuthGrant', schema);
