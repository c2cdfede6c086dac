import mongoose, { Schema } from 'mongoose';
import type { UploadMimeType } from '../mime-types.ts';
import { type Mode, modes } from '../modes.ts';
import { modelOptions } from '../platform/model-options.ts';

/** A file that a client may put into the object store, or has put there. */
export type UploadRecord = {
  /** The key in the object store. */
  _id: string;
  organizationId: string;
  mode: Mode;
  filename: string;
  mimeType: UploadMimeType;
  sizeBytes: number;
  /** Set once the object was seen in the store; a later change of it is caught when it is rendered. */
  etag: string | null;
  /** Set once a render has counted them. */
  pageCount: number | null;
  createdAt: Date;
  /** Until then a mail job may use it. */
  usableUntil: Date;
  /** Stamped by each job that uses it: the cleaner leaves it alone until then. */
  neededUntil: Date | null;
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
    createdAt: { type: Date, required: true },
    usableUntil: { type: Date, required: true },
    neededUntil: { type: Date, default: null },
  },
  { ...modelOptions, collection: 'uploads' },
);
schema.index({ neededUntil: 1, usableUntil: 1 });

export const Upload = mongoose.model('Upload', schema);
