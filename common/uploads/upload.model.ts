import mongoose from 'mongoose';
import type { BulkMimeType, UploadMimeType } from '../mime-types.ts';
import * as row from '../platform/mongo/row.ts';

const faultFields = { name: row.text, pages: row.number };
/** Why a file cannot be printed: the fault, and the pages of the mail job whose limits applied. */
export type UploadFault = row.RecordOf<typeof faultFields>;

const fields = {
  /** The key in the object store. */
  _id: row.text,
  ...row.owned,
  filename: row.text,
  /** That of a document, or of a list of letters. */
  mimeType: row.textOf<UploadMimeType | BulkMimeType>(),
  sizeBytes: row.number,
  /** Set once the object was found in the store. Rendering detects a later change. */
  etag: row.nullable(row.text),
  /** Set by the first render. */
  pageCount: row.nullable(row.number),
  /** Set once a render failed because of these bytes, or exceeded its CPU time. */
  fault: row.optional(row.part(faultFields)),
  /** How many bulks were made of it. */
  bulkCount: row.optional(row.number),
  createdAt: row.date,
  /** Mail jobs may use the upload until then. */
  usableUntil: row.date,
  /** Extended by each job that uses it. Cleanup keeps the upload until then. */
  neededUntil: row.nullable(row.date),
  /** Set once the object could not be deleted: the number of failures and the time of the next attempt. */
  removal: row.optional(row.part({ failures: row.number, nextAt: row.date })),
};
/** A file that a client may upload or has uploaded. */
export type UploadRecord = row.RecordOf<typeof fields>;

const schema = row.schemaOf('uploads', fields);
schema.index({ neededUntil: 1, usableUntil: 1 });
/** Covers the sum of an organization's uploaded bytes. */
export const storedUploadsIndex = { organizationId: 1, mode: 1, sizeBytes: 1 } as const;
schema.index(storedUploadsIndex);

export const Upload = mongoose.model('Upload', schema);
