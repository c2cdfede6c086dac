import { csvRecord } from '#common/csv.ts';
import { conflict } from '#common/errors.ts';
import { rowsOf } from '#common/platform/mongo/mongo.ts';
import { inChunks } from '../check/store-rows.ts';
import { type BulkRecord, hasNoRows } from '../model/bulk.model.ts';
import { BulkRow, type BulkRowRecord, rowsOfBulk } from '../model/bulk-row.model.ts';
import { describeRowFault } from '../model/row-faults.ts';
import { usedColumns } from '../send/drop-unused-cells.ts';
import { type SentRow, withJobs } from './read-bulk.ts';
import type { UploadedCells } from './uploaded-cells.ts';

/** So that spreadsheets read the file as UTF-8. */
const bom = '\ufeff';
/** The names of our columns begin so, and a file with them can be uploaded again: they are no fields of a letter. */
const own = (name: string) => `bluejay ${name}`;

/**
 * Yields the file of a bulk as CSV with a column of faults: corrected, it can be uploaded again. Throws CONFLICT once the
 * rows are removed.
 */
export async function* writeFaultsCsv(bulk: BulkRecord, uploaded: UploadedCells): AsyncGenerator<string> {
  requireRows(bulk);
  const table = await openTable(bulk, uploaded);
  try {
    yield bom + csvRecord([...table.header, own('row'), own('faults')]);
    for await (const chunk of inChunks(readRows(bulk))) {
      const cells = await table.cellsOf(chunk);
      const after = (row: BulkRowRecord) => [row.row, describeFaults(bulk, row)];
      yield chunk.map((row, index) => csvRecord([...(cells[index] ?? []), ...after(row)])).join('');
    }
  } finally {
    await table.close();
  }
}

/** Yields the result of each row as CSV, followed by its cells. Throws CONFLICT once the rows are removed. */
export async function* writeResultsCsv(bulk: BulkRecord, uploaded: UploadedCells): AsyncGenerator<string> {
  requireRows(bulk);
  const table = await openTable(bulk, uploaded);
  const columns = ['row', 'status', 'mailJobId', 'letterStatus', 'priceCents', 'trackingNumber', 'remarks'].map(own);
  try {
    yield bom + csvRecord([...columns, ...table.header]);
    for await (const chunk of inChunks(readRows(bulk))) {
      const [rows, cells] = [await withJobs(bulk, chunk), await table.cellsOf(chunk)];
      yield rows.map((row, index) => csvRecord([...resultOf(bulk, row), ...(cells[index] ?? [])])).join('');
    }
  } finally {
    await table.close();
  }
}

/**
 * Returns the columns of the file and the cells of its rows. Rows of a confirmed bulk have the cells of used columns only.
 * The others are read from the uploaded file; once that is removed, a last column names them.
 */
async function openTable({ confirmedAt, ...bulk }: BulkRecord, open: UploadedCells) {
  const { header, mapping } = bulk;
  const columns = [...header.keys()];
  const used = confirmedAt !== null && mapping ? usedColumns(mapping) : new Set(columns);
  const file = used.size < columns.length ? await open(bulk) : null;
  const shown = file ? columns : columns.filter((column) => used.has(column));
  const omitted = file ? [] : header.filter((_, column) => !used.has(column));
  const named = omitted.length === 0 ? [] : [own(`omitted: ${omitted.join(', ')}`)];
  return {
    header: [...shown.map((column) => header[column] ?? ''), ...named],
    /** A row may have fewer cells than the header, and more. A redacted one has none. */
    async cellsOf(rows: readonly BulkRowRecord[]): Promise<(string | null)[][]> {
      const all = file ? await file.cellsOf(rows) : rows.map(({ cells }) => cells);
      const kept = all.map((cells, index) => (rows[index]?.cells.length === 0 ? [] : cells));
      return kept.map((cells) => [...shown.map((column) => cells[column] ?? null), ...named.map(() => null)]);
    },
    close: async () => await file?.close(),
  };
}

function resultOf(bulk: BulkRecord, { record, job }: SentRow) {
  const { row, state, priceCents } = record;
  const remarks = [describeFaults(bulk, record), job?.failure?.message ?? ''].filter((text) => text !== '').join(' ');
  const tracking = job?.items[0]?.tracking?.number ?? null;
  return [row, job ? 'sent' : state, job?._id ?? null, job?.status ?? null, priceCents, tracking, remarks];
}

async function* readRows({ _id }: BulkRecord): AsyncGenerator<BulkRowRecord> {
  const rows = rowsOf<BulkRowRecord>(BulkRow).find(rowsOfBulk(_id)).sort({ _id: 1 }).batchSize(500);
  for await (const row of rows) yield row as BulkRowRecord;
}

function describeFaults({ header }: BulkRecord, { faults, warnings }: BulkRowRecord): string {
  return [...faults, ...warnings]
    .map((fault) => {
      const column = fault.column === null ? undefined : header[fault.column];
      return `${column === undefined ? '' : `${column}: `}${describeRowFault(fault)}`;
    })
    .join(' ');
}

/** Throws CONFLICT once the rows of an ended bulk are removed. */
export function requireRows(bulk: BulkRecord): void {
  if (!hasNoRows(bulk)) return;
  const message =
    'The rows of this bulk are removed: 30 days after its end, or when it was cancelled without being confirmed.';
  throw conflict(message);
}
