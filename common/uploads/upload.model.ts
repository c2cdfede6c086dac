import mongoose, { Schema } from 'mongoose';
import type { UploadMimeType } from '../mime-types.ts';
import { type Mode, modes } from '../modes.ts';
import { modelOptions } from '../platform/mongo/model-options.ts';

/** Why a file cannot be printed: the fault, and the pages of the mail job whose limits applied. */
export type UploadFault = { name: string; pages: number };

/** A file that a client may upload or has uploaded. */
export type UploadRecord = {
  /** The key in the object store. */
  _id: string;
  organizationId: string;
  mode: Mode;
  filename: string;
  mimeType: UploadMimeType;
  sizeBytes: number;
  /** Set once the object was found in the store. Rendering detects a later change. */
  etag: string | null;
  /** Set by the first render. */
  pageCount: number | null;
  /** Set once a render failed because of these bytes, or exceeded its CPU time. */
  fault?: UploadFault;
  createdAt: Date;
  /** Mail jobs may use the upload until then. */
  usableUntil: Date;
  /** Extended by each job that uses it. Cleanup keeps the upload until then. */
  neededUntil: Date | null;
  /** Set once the object could not be deleted: the number of failures and the time of the next attempt. */
  removal?: { failures: number; nextAt: Date };
};

const schema = new Schema<UploadRecord>(
  {
    _id: { type: String, required: true },
    organizationId: { type: String, required: true },
    mode: { type: String, enum: modes, required: true },
    filename: { type: String, required: true },
    mimeType: { type: String, required: true },
    sizeBytes: { type: Number, required: true },
    etag: { type: String, default: null },
    pageCount: { type: Number, default: null },
    fault: { type: { name: String, pages: Number, _id: false }, required: false },
    createdAt: { type: Date, required: true },
    usableUntil: { type: Date, required: true },
    neededUntil: { type: Date, default: null },
    removal: { type: { failures: Number, nextAt: Date, _id: false }, required: false },
  },
  { ...modelOptions, collection: 'uploads' },
);
schema.index({ neededUntil: 1, usableUntil: 1 });
/** Covers the sum of an organization's uploaded bytes. */
export const storedUploadsIndex = { organizationId: 1, mode: 1, sizeBytes: 1 } as const;
schema.index(storedUploadsIndex);

export const Upload = mongoose.model('Upload', schema);
