import mongoose from 'mongoose';
import type { LogoType } from '#common/documents/typesetting/read-logo.ts';
import * as row from '#common/platform/mongo/row.ts';

const fields = {
  /** The organization. Its letters of both modes have the same letterhead. */
  _id: row.text,
  /** Incremented by each change, so that a letter is not made of an older one. */
  version: row.number,
  senderLines: row.list(row.text),
  footerLines: row.list(row.text),
  /** The image in base64, at most 300 kB of bytes. */
  logo: row.nullable(row.part({ type: row.textOf<LogoType>(), base64: row.text })),
  updatedAt: row.date,
};
export type LetterheadRecord = row.RecordOf<typeof fields>;

export const Letterhead = mongoose.model('Letterhead', row.schemaOf('letterheads', fields));
