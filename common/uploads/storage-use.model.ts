import mongoose, { Schema } from 'mongoose';
import { type Mode, modes, type Owner } from '../modes.ts';
import { modelOptions } from '../platform/mongo/model-options.ts';

/**
 * The bytes an organization stores in one mode: uploads with a row, at their declared size, and print files.
 * Approximate: a process killed between storing and counting leaves it wrong until `recountStorage` has found the
 * difference twice, usually within a day.
 */
export type StorageUseRecord = {
  _id: string;
  organizationId: string;
  mode: Mode;
  bytes: number;
  /** The unconfirmed difference from `bytes` that the first recount found. */
  drift?: number;
  /** When the next recount is due. */
  recountAt: Date;
};

const schema = new Schema<StorageUseRecord>(
  {
    _id: { type: String, required: true },
    organizationId: { type: String, required: true },
    mode: { type: String, enum: modes, required: true },
    bytes: { type: Number, required: true },
    drift: Number,
    recountAt: { type: Date, required: true },
  },
  { ...modelOptions, collection: 'storage_use' },
);
schema.index({ recountAt: 1 });

export const StorageUse = mongoose.model('StorageUse', schema);

/** Makes the first recount due at once: print files may have been stored before the row. */
export const neverRecounted = new Date(0);

export const storageUseId = ({ organizationId, mode }: Owner) => `${organizationId} ${mode}`;
