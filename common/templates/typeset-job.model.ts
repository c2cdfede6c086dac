import mongoose from 'mongoose';
import { addDueIndex, dueField } from '#common/platform/due-work/due.schema.ts';
import type { DueSlot } from '#common/platform/due-work/due-work.ts';
import * as row from '#common/platform/mongo/row.ts';

/**
 * A typeset letter, as an upload of its owner; or why it was not typeset, in English. `isOurFault`: another attempt may
 * succeed.
 */
export type TypesetResult =
  | { s3Key: string; pageCount: number; sizeBytes: number; fault: null; isOurFault: false }
  | { s3Key: null; pageCount: 0; sizeBytes: 0; fault: string; isOurFault: boolean };

const fields = {
  _id: row.text,
  ...row.owned,
  /** Hash of all that the letter depends on: owner, text, language, variables, letterhead. */
  key: row.text,
  language: row.text,
  text: row.text,
  /** As JSON, because names may contain dots. Emptied when the letter is typeset: they are data of recipients. */
  variables: row.text,
  due: row.part({ typeset: dueField }),
  result: row.optional(row.mixed<TypesetResult>()),
  expiresAt: row.date,
};
// Stored names stay: the collection is `letter_settings`, and ids begin with `set_`.
/** A letter to be typeset from a template. Kept for 20 h, less than its upload, and shared by equal requests. */
export type TypesetJobRecord = row.RecordOf<typeof fields>;

const schema = row.schemaOf('letter_settings', fields);
schema.index({ key: 1 }, { unique: true });
schema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });
addDueIndex(schema, 'due.typeset');
// For counting an owner's letters that are not finished.
schema.index({ organizationId: 1, mode: 1 }, { partialFilterExpression: { 'due.typeset.at': { $exists: true } } });

export const TypesetJob = mongoose.model('TypesetJob', schema);

/** How long equal requests share a letter. An upload is usable for 24 h. */
export const typesetJobLifeMs = 20 * 60 * 60 * 1000;

/** Letters that are due to be typeset. */
export const typesetWork: DueSlot = { collection: 'letter_settings', path: 'due.typeset', queue: 'typeset' };
