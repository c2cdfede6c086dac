import type { Schema } from 'mongoose';
import * as row from '../mongo/row.ts';

const fields = {
  /** When it falls due, by the clock of the process that planned it. */
  at: row.date,
  /** Runs that threw. */
  failures: row.defaulting(row.number, 0),
  /** Claims that were never ended: the process was killed, or stalled until the lease expired. */
  unfinished: row.defaulting(row.number, 0),
  /** Incremented on every reschedule. `finishClaim` compares it, so a wake-up during processing is not lost. */
  version: row.number,
  /** When the last hint was sent. Null when that hint is used up or was lost. */
  hintedAt: row.nullable(row.date),
  leaseToken: row.nullable(row.text),
  /** By the database server's clock. */
  leaseUntil: row.nullable(row.date),
};
/**
 * Work that falls due at a certain time, stored inside the document it concerns. A worker claims it by compare-and-set
 * with a lease. Only the holder of the lease can finish it. When the lease expires, it is due again.
 */
export type Due = row.RecordOf<typeof fields>;

/** The schema field of due work inside a document. Absent when there is nothing to do. */
export const dueField = row.optional(row.part(fields));

/** Returns the key of the due-work index. The id orders rows that fall due at the same moment. */
export const dueIndexKey = (path: string): Record<string, 1> => ({ [`${path}.at`]: 1, _id: 1 });

/** Declares the due-work index. Partial, because a sparse index would hold every row: each has an id. */
export function addDueIndex(model: Schema, path: string): void {
  model.index(dueIndexKey(path), { partialFilterExpression: { [`${path}.at`]: { $exists: true } } });
}
