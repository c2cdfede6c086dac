import mongoose from 'mongoose';
import { scopes } from '../access/scopes.ts';
import { modes } from '../modes.ts';
import * as row from '../platform/mongo/row.ts';

const fields = {
  /** `bjc_` and 80 random bits. Of a public client: the URL of its metadata. */
  _id: row.text,
  /** What users see on the consent page. */
  name: row.text,
  /** Null for a public client: the user chooses. */
  mode: row.nullable(row.oneOf(modes)),
  /** Matched exactly, as strings; only the port of a public client's loopback address is free. */
  redirectUris: row.list(row.text),
  /** The scopes it may request. */
  scopes: row.list(row.oneOf(scopes)),
  /** SHA-256 of its secrets (256 random bits each), newest first: one, or two while a rotation overlaps. None for a public client. */
  secretHashes: row.list(row.text),
  /** When the second secret stops working. */
  formerSecretEndsAt: row.nullable(row.date),
  /** Successful token requests per minute; null for the installation's default. */
  tokensPerMinute: row.optional(row.nullable(row.number)),
  createdAt: row.date,
  /** A disabled application gets no tokens and cannot ask for consent. */
  disabledAt: row.nullable(row.date),
};
/** An application that may ask users for access to their organization's mail. A public client is stored when a user consents. */
export type OAuthClientRecord = row.RecordOf<typeof fields>;

const schema = row.schemaOf('oauth_clients', fields);
// Registered applications by name, public clients newest first.
schema.index({ mode: 1, name: 1, _id: 1 });
schema.index({ mode: 1, createdAt: -1, _id: 1 });

export const OAuthClient = mongoose.model('OAuthClient', schema);

/** Returns whether an application has no secret: it runs on devices of its users, and PKCE protects its codes. */
export function isPublicClient({ mode }: Pick<OAuthClientRecord, 'mode'>): boolean {
  return mode === null;
}
