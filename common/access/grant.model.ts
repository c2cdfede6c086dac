import mongoose from 'mongoose';
import { modes } from '../modes.ts';
import * as row from '../platform/mongo/row.ts';
import { scopes } from './scopes.ts';

/** Why a grant was revoked. `expired`: its time was over, or that of its last refresh token. */
export const revocationReasons = [
  'user',
  'application',
  'operator',
  'code-replay',
  'refresh-replay',
  'expired',
] as const;
export type RevocationReason = (typeof revocationReasons)[number];

const scopeList = row.list(row.oneOf(scopes));
const codeFields = {
  hash: row.text,
  redirectUri: row.text,
  challenge: row.text,
  expiresAt: row.date,
  usedAt: row.nullable(row.date),
};
const fields = {
  /** 80 random bits, contained in each of its tokens. */
  _id: row.text,
  clientId: row.text,
  /** The name that the user saw on the consent page. A public client can change its own at any time. */
  clientName: row.optional(row.text),
  organizationId: row.text,
  /** The user who consented. */
  userId: row.text,
  mode: row.oneOf(modes),
  /** The only resource that its tokens are for (RFC 8707); null for the whole API. */
  resource: row.nullable(row.text),
  /** The scopes the user agreed to. An access token has these or fewer. */
  scopes: scopeList,
  code: row.part(codeFields),
  /** The current refresh token and the one it replaced; null until the code is exchanged. */
  refresh: row.nullable(
    row.part({ hash: row.text, previousHash: row.nullable(row.text), rotatedAt: row.date, expiresAt: row.date }),
  ),
  /** `scopes` is null for all scopes of the grant. */
  accessTokens: row.list(row.part({ hash: row.text, scopes: row.nullable(scopeList), expiresAt: row.date })),
  createdAt: row.date,
  /** Refreshing does not extend the grant beyond this. */
  expiresAt: row.date,
  revokedAt: row.nullable(row.date),
  revokedBecause: row.nullable(row.oneOf(revocationReasons)),
  /** Raised with each reservation: see `reserveGrant`. */
  reservations: row.optional(row.number),
  /** When MongoDB removes the row. */
  removeAt: row.date,
};
/** One consent of a user to one application, with the SHA-256 of every code and token issued for it. */
export type GrantRecord = row.RecordOf<typeof fields>;

const schema = row.schemaOf('oauth_grants', fields);
schema.index({ organizationId: 1, clientId: 1 });
schema.index({ clientId: 1 });
schema.index({ removeAt: 1 }, { expireAfterSeconds: 0 });
// For the end of expired grants. Ended ones cost nothing.
for (const path of ['expiresAt', 'refresh.expiresAt']) {
  schema.index({ [path]: 1 }, { partialFilterExpression: { revokedAt: null } });
}

export const OAuthGrant = mongoose.model('OAuthGrant', schema);
