import mongoose from 'mongoose';
import * as row from '../mongo/row.ts';

const fields = {
  /** Hash of organization, mode and key. */
  _id: row.text,
  ...row.owned,
  /** HMAC of the request: its contents may be personal data. */
  requestMac: row.text,
  /** Of the request that carries it out, which owns the key until `leasedUntil`. */
  token: row.text,
  leasedUntil: row.date,
  /** The id of what was created, or an answer without personal data and secrets; null until it is carried out. */
  result: row.nullable(row.text),
  expiresAt: row.date,
};
export type IdempotencyKeyRecord = row.RecordOf<typeof fields>;

const schema = row.schemaOf('idempotency_keys', fields);
schema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });
// For counting an owner's keys.
schema.index({ organizationId: 1, mode: 1 });

export const IdempotencyKey = mongoose.model('IdempotencyKey', schema);
