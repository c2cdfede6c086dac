import { Schema } from 'mongoose';
import type { Due } from './due-work.ts';

const schema = new Schema<Due>(
  {
    at: { type: Date, required: true },
    failures: { type: Number, default: 0 },
    unfinished: { type: Number, default: 0 },
    version: { type: Number, required: true },
    hintedAt: { type: Date, default: null },
    leaseToken: { type: String, default: null },
    leaseUntil: { type: Date, default: null },
  },
  { _id: false },
);

/** The schema field of due work inside a document. Absent when there is nothing to do. */
export const dueField = { type: schema, required: false };

/** Returns the key of the due-work index. The id orders rows that fall due at the same moment. */
export const dueIndexKey = (path: string): Record<string, 1> => ({ [`${path}.at`]: 1, _id: 1 });

/** Declares the due-work index. Partial, because a sparse index would hold every row: each has an id. */
export function addDueIndex(model: Schema, path: string): void {
  model.index(dueIndexKey(path), { partialFilterExpression: { [`${path}.at`]: { $exists: true } } });
}
