import { bulkRowId } from '#common/ids.ts';
import { rowsOf } from '#common/platform/mongo/mongo.ts';
import type { TableRow } from '../file/read-table.ts';
import type { BulkRecord, CheckProgress } from '../model/bulk.model.ts';
import { noOverview } from '../model/bulk-overview.ts';
import { BulkRow, type BulkRowRecord, rowsOfBulk } from '../model/bulk-row.model.ts';
import type { RowChecker } from './row-checker.ts';

/** Rows that are checked and stored together. Other work of the process runs between chunks. */
const chunkRows = 500;
/** Characters of a chunk: rows may have 400,000 each. */
const chunkLength = 1_000_000;

/** Yields the rows in chunks, in order. */
export async function* inChunks<Row extends { cells: readonly string[] }>(
  rows: AsyncIterable<Row>,
  maxRows = chunkRows,
): AsyncGenerator<Row[]> {
  let chunk: Row[] = [];
  let length = 0;
  for await (const row of rows) {
    chunk.push(row);
    for (const cell of row.cells) length += cell.length;
    if (chunk.length < maxRows && length < chunkLength) continue;
    yield chunk;
    chunk = [];
    length = 0;
  }
  if (chunk.length > 0) yield chunk;
}

/** For rows that are derived from a file: they are read again when a failover loses them with the state of the bulk. */
const unordered = { ordered: false } as const;

/** Stores rows for the first time, or what a later check found out about them: the cells of a row never change. */
export async function replaceRows({ format }: BulkRecord, rows: BulkRowRecord[]): Promise<void> {
  if (rows.length === 0) return;
  const collection = rowsOf<BulkRowRecord>(BulkRow);
  if (format === null) {
    await collection.insertMany(rows, unordered);
    return;
  }
  const updates = rows.map(({ _id, bulkId: _, row: __, cells: ___, ...checked }) => {
    const $unset = checked.s3Key === undefined ? { s3Key: '' as const } : {};
    return { updateOne: { filter: { _id }, update: { $set: checked, $unset } } };
  });
  await collection.bulkWrite(updates, unordered);
}

/** A row without cells is 190 bytes of BSON, its key in the index about 60. A cell is 8 bytes and its text. */
const [bytesOfRow, bytesOfCell] = [250, 8];

/** Returns about how many bytes rows take in the database. */
export function sizeOfRows(rows: readonly TableRow[]): number {
  let bytes = rows.length * bytesOfRow;
  for (const { cells } of rows) for (const cell of cells) bytes += Buffer.byteLength(cell) + bytesOfCell;
  return bytes;
}

/** Creates what stores rows whose columns are not known yet. Rows that are stored already are only counted. */
export function createRowCounter({ _id, format }: BulkRecord, { counts }: Pick<CheckProgress, 'counts'>): RowChecker {
  let rows = counts?.rows ?? 0;
  return {
    recall() {},
    async check(chunk) {
      rows += chunk.length;
      return format === null ? chunk.map((row) => toUnchecked(_id, row)) : [];
    },
    result: () => ({
      counts: { rows, valid: 0, faulty: 0, duplicates: 0 },
      ...{ warnedRows: [], prices: [], totalCents: 0, overview: noOverview },
    }),
  };
}

function toUnchecked(bulkId: string, { row, cells }: TableRow): BulkRowRecord {
  const unknown = { faults: [], warnings: [], priceCents: 0, pages: 0 };
  return { _id: bulkRowId(bulkId, row), bulkId, row, cells, state: 'unchecked', ...unknown };
}

/** Yields the stored rows of a bulk, in order. */
export async function* readStoredRows(bulkId: string): AsyncGenerator<TableRow> {
  const found = rowsOf<BulkRowRecord>(BulkRow)
    .find(rowsOfBulk(bulkId), { projection: { row: 1, cells: 1 } })
    .sort({ _id: 1 })
    .batchSize(chunkRows);
  for await (const { row, cells } of found) yield { row, cells };
}

/** Removes all rows of a bulk, or those after a row. */
export async function removeRows(bulkId: string, afterRow?: number): Promise<void> {
  const after = afterRow === undefined ? undefined : bulkRowId(bulkId, afterRow);
  await rowsOf<BulkRowRecord>(BulkRow).deleteMany(rowsOfBulk(bulkId, after));
}
