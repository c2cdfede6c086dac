import { csvRecord } from '#common/csv.ts';
import { AppError } from '#common/errors.ts';
import { rowsOf } from '#common/platform/mongo/mongo.ts';
import { inChunks } from '../check/store-rows.ts';
import { type BulkRecord, hasNoRows } from '../model/bulk.model.ts';
import { BulkRow, type BulkRowRecord, rowsOfBulk } from '../model/bulk-row.model.ts';
import { describeRowFault } from '../model/row-faults.ts';
import { type SentRow, withJobs } from './read-bulk.ts';

/** So that spreadsheets read the file as UTF-8. */
const bom = '\ufeff';
/** The names of our columns begin so, and a file with them can be uploaded again: they are no fields of a letter. */
const own = (name: string) => `bluejay ${name}`;

/**
 * Yields the file of a bulk as CSV with a column of faults: corrected, it can be uploaded again. Throws CONFLICT once the
 * rows are removed.
 */
export async function* writeFaultsCsv(bulk: BulkRecord): AsyncGenerator<string> {
  requireRows(bulk);
  yield bom + csvRecord([...bulk.header, own('row'), own('faults')]);
  for await (const chunk of inChunks(readRows(bulk))) {
    yield chunk.map((row) => csvRecord([...pad(row.cells, bulk), row.row, describeFaults(bulk, row)])).join('');
  }
}

/** Yields the result of each row as CSV, followed by its cells. Throws CONFLICT once the rows are removed. */
export async function* writeResultsCsv(bulk: BulkRecord): AsyncGenerator<string> {
  requireRows(bulk);
  const columns = ['row', 'status', 'mailJobId', 'letterStatus', 'priceCents', 'trackingNumber', 'remarks'].map(own);
  yield bom + csvRecord([...columns, ...bulk.header]);
  for await (const chunk of inChunks(readRows(bulk))) {
    const rows = await withJobs(bulk, chunk);
    yield rows.map((row) => csvRecord([...resultOf(bulk, row), ...pad(row.record.cells, bulk)])).join('');
  }
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

/** A row may have fewer cells than the header, and more. */
function pad(cells: readonly string[], { header }: BulkRecord): (string | null)[] {
  return header.map((_, index) => cells[index] ?? null);
}

/** Throws CONFLICT once the rows of an ended bulk are removed. */
export function requireRows(bulk: BulkRecord): void {
  if (!hasNoRows(bulk)) return;
  const message =
    'The rows of this bulk are removed: 30 days after its end, or when it was cancelled without being confirmed.';
  throw new AppError('CONFLICT', { message });
}
