import mongoose from 'mongoose';
import * as row from '#common/platform/mongo/row.ts';
import type { RowFaultCode } from './row-faults.ts';

/**
 * `valid`: can be sent. `faulty`: its letter cannot be sent as it is. `refused`: the service refused it later. Whether a
 * valid row is sent shows in its mail job.
 */
export const bulkRowStates = ['unchecked', 'valid', 'faulty', 'refused'] as const;
export type BulkRowState = (typeof bulkRowStates)[number];

const faultFields = {
  /** Index of the column from 0; null for a fault of the whole row. */
  column: row.nullable(row.number),
  code: row.textOf<RowFaultCode>(),
  /** What the text names: a number, a row, characters. Never content of a cell. */
  detail: row.nullable(row.text),
};
/** A fault of a cell, or of a row. */
export type RowFault = row.RecordOf<typeof faultFields>;

const fields = {
  /** `bulkRowId`: sorts by row within a bulk. */
  _id: row.text,
  bulkId: row.text,
  /** The number of the row in the file, from 1 for the header. */
  row: row.number,
  /** The cells as in the file. Once its bulk is confirmed, those of used columns. Empty once its letter is redacted. */
  cells: row.list(row.text),
  state: row.oneOf(bulkRowStates),
  faults: row.list(row.part(faultFields)),
  /** What its owner should know; the row is sent all the same. */
  warnings: row.list(row.part(faultFields)),
  /** The price of its letter, VAT included. */
  priceCents: row.number,
  pages: row.number,
  /** The key of its document, of a ZIP. */
  s3Key: row.optional(row.text),
};
/** A row of a bulk file. Removed 30 days after the end of the bulk, because it names a person. */
export type BulkRowRecord = row.RecordOf<typeof fields>;

const schema = row.schemaOf('bulk_rows', fields);
/** For lists of rows with faults. Other rows cost no write. */
export const faultyRowsIndex = { bulkId: 1, state: 1, _id: 1 } as const;
schema.index(faultyRowsIndex, { partialFilterExpression: { state: { $in: ['faulty', 'refused'] } } });

export const BulkRow = mongoose.model('BulkRow', schema);

/** Returns the range of the ids of a bulk's rows, from `after` exclusive. */
export function rowsOfBulk(bulkId: string, after = `${bulkId}:`): { _id: { $gt: string; $lt: string } } {
  return { _id: { $gt: after, $lt: `${bulkId};` } };
}

/** Returns the externalId of the mail job of a row. */
export function externalIdOf({ bulkId, row: rowNumber }: Pick<BulkRowRecord, 'bulkId' | 'row'>): string {
  return `${bulkId}:${rowNumber}`;
}
