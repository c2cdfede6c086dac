import mongoose from 'mongoose';
import type { Owner } from '../modes.ts';
import * as row from '../platform/mongo/row.ts';

const fields = {
  _id: row.text,
  ...row.owned,
  bytes: row.number,
  /** The unconfirmed difference from `bytes` that the first recount found. */
  drift: row.optional(row.number),
  /** When the next recount is due. */
  recountAt: row.date,
};
/**
 * The bytes an organization stores in one mode: uploads with a row, at their declared size, and print files.
 * Approximate: a process killed between storing and counting leaves it wrong until `recountStorage` has found the
 * difference twice, usually within a day.
 */
export type StorageUseRecord = row.RecordOf<typeof fields>;

const schema = row.schemaOf('storage_use', fields);
schema.index({ recountAt: 1 });

export const StorageUse = mongoose.model('StorageUse', schema);

/** Makes the first recount due at once: print files may have been stored before the row. */
export const neverRecounted = new Date(0);

export const storageUseId = ({ organizationId, mode }: Owner) => `${organizationId} ${mode}`;
