import mongoose from 'mongoose';
import * as row from '../platform/mongo/row.ts';
import { scopes } from './scopes.ts';

const fields = {
  /** The id part of `bjk_<id>_<secret>`: the mode and 80 random bits. */
  _id: row.text,
  ...row.owned,
  name: row.nullable(row.text),
  scopes: row.list(row.oneOf(scopes)),
  /** SHA-256 of the secret part, which has 256 random bits. */
  secretHash: row.text,
  readsPerMinute: row.nullable(row.number),
  writesPerMinute: row.nullable(row.number),
  createdAt: row.date,
  lastUsedAt: row.nullable(row.date),
  revokedAt: row.nullable(row.date),
};
export type ApiKeyRecord = row.RecordOf<typeof fields>;

const schema = row.schemaOf('api_keys', fields);
schema.index({ organizationId: 1, _id: 1 });

export const ApiKey = mongoose.model('ApiKey', schema);
