import { Schema } from 'mongoose';
import type { Due } from './due-work.ts';

const schema = new Schema<Due>(
  {
    at: { type: Date, required: true },
    attempt: { type: Number, required: true },
    version: { type: Number, required: true },
    hintedAt: { type: Date, default: null },
    leaseToken: { type: String, default: null },
    leaseUntil: { type: Date, default: null },
  },
  { _id: false },
);

/** How a model declares due work inside its documents; absent when there is nothing to do. */
export const dueField = { type: schema, required: false };
