import mongoose from 'mongoose';
import { modes } from '#common/modes.ts';
import * as row from '../mongo/row.ts';

const fields = {
  /** The key in the object store. Never used twice, so a late removal cannot take a newer object. */
  _id: row.text,
  /** What the object is, for finding it again. */
  name: row.text,
  /** Set once the object is in the store. */
  storedAt: row.nullable(row.date),
  removeAt: row.date,
  /** The owner whose limit it counts towards. Absent: it counts towards none. */
  organizationId: row.optional(row.text),
  mode: row.optional(row.oneOf(modes)),
  /** Its size; until it is stored, the most that it may become. */
  sizeBytes: row.optional(row.number),
};
/** An object that is made on demand and can be made again, like the proof of a letter. */
export type TemporaryObjectRecord = row.RecordOf<typeof fields>;

const schema = row.schemaOf('temporary_objects', fields);
schema.index({ name: 1, removeAt: -1 });
schema.index({ removeAt: 1 });
schema.index({ organizationId: 1, mode: 1, sizeBytes: 1 });

export const TemporaryObject = mongoose.model('TemporaryObject', schema);
