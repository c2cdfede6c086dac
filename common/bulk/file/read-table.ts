import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { ChildLimits } from '#common/documents/isolation/child-limits.ts';
import type { RenderSlot } from '#common/documents/isolation/render-slots.ts';
import { runInSlot } from '#common/documents/isolation/run-in-slot.ts';
import type { Language } from '#common/languages.ts';
import type { Log } from '#common/platform/process/log.ts';
import { tableSeparators } from './detect-separator.ts';
import { tableEncodings } from './encoding/table-encodings.ts';
import { findHeading, type HeadingPlace } from './find-heading.ts';
import { type Reading, tableKinds } from './reading.ts';
import { isTableFaultName, TableFault } from './table-fault.ts';
import { maxRowNumber, maxRowsAbove, maxSheetName, maxSheets, tableLimits } from './table-limits.ts';

const mib = 1024 * 1024;

/** XLSX files of 100,000 rows and 8 columns took 2.4 s and 130 MB, CSV files of 100 MB took 5 s. */
const limits: ChildLimits = {
  ...{ cpuS: 60, wallMs: 120_000 },
  ...{ dataBytes: 640 * mib, fileBytes: 256 * mib, openFiles: 64 },
};

const entryPath = fileURLToPath(new URL('./read-table.child.ts', import.meta.url));

const count = z.int().min(0).max(1_000_000_000);
const sheetName = z.string().max(maxSheetName);
const cell = z.string().max(100);

/** What the child reports. Security: it opened untrusted bytes, so that every text is bounded. */
const ReadAs = z.strictObject({
  kind: z.enum(tableKinds),
  encoding: z.enum(tableEncodings).optional(),
  separator: z.enum(tableSeparators).optional(),
  likely: z
    .array(z.strictObject({ encoding: z.enum(tableEncodings), cells: z.array(cell).max(3) }))
    .max(3)
    .optional(),
  sheet: sheetName.optional(),
  sheets: z
    .array(z.strictObject({ name: sheetName, isHidden: z.boolean() }))
    .max(maxSheets)
    .optional(),
  hiddenRows: count.optional(),
  mergedCells: count.optional(),
  twiceEncoded: count,
});
/**
 * What a file was read as. `zip`: documents with an index. `likely`: encodings of which one is to be chosen.
 * `twiceEncoded`: cells that can be repaired. Lists that were read long ago have only the first three.
 */
export type TableFormat = Pick<z.infer<typeof ReadAs>, 'kind'> & Partial<z.infer<typeof ReadAs> & HeadingPlace>;

const Report = z.union([
  z.strictObject({ format: ReadAs, width: z.int().min(0).max(tableLimits.columns) }),
  z.object({ fault: z.string(), line: count.optional(), count: count.optional() }),
]);

/** A row of a table: its number in the file from 1, and its cells. Blank rows are left out. */
export type TableRow = { row: number; cells: string[] };

/** A table that was read. A header of row 0 is not in the file. `rows` are read from disk as they are consumed, once. */
export type Table = { format: TableFormat; header: TableRow; rows: AsyncIterable<TableRow> };

/**
 * `countFields` returns how many fields of a letter cells name, if they are a heading. `language`: in which numbers and
 * dates of a spreadsheet are written.
 */
export type ReadTableWork = {
  reading: Reading;
  countFields: (cells: readonly string[]) => number;
  slot: RenderSlot;
  folder: string;
  language: Language;
  signal: AbortSignal;
  log: Log;
};

/**
 * Reads a bulk file in a fenced child process. Throws TableFault for a file that cannot be read, `ChildFailedError`, or the
 * signal's reason.
 */
export async function readTable(path: string, { reading, countFields, ...work }: ReadTableWork): Promise<Table> {
  const { slot, folder, language, signal, log } = work;
  const output = join(folder, 'rows.ndjson');
  const end = await runInSlot(slot, {
    program: { entryPath, permissions: 'plain' },
    args: [path, JSON.stringify(reading), language],
    readable: [path],
    parentFolder: folder,
    output: { name: 'rows.ndjson', path: output },
    ...{ limits, signal, log },
  });
  if (end.kind === 'fault') throw new TableFault('too_hard');
  const report = Report.safeParse(end.result);
  if (!report.success) throw new TableFault('too_hard');
  if ('fault' in report.data) {
    const { fault, ...place } = report.data;
    throw new TableFault(isTableFaultName(fault) ? fault : 'too_hard', place);
  }
  const rows = readRows(output);
  const first = await takeFirst(rows);
  const { heading, letters, ...place } = findHeading(first, { countFields, wanted: reading.headerRow });
  if (letters.length === 0) throw new TableFault('empty');
  // A row may have cells right of the last heading. Their columns have names too.
  const unnamed = Array.from({ length: Math.max(0, report.data.width - heading.cells.length) }, () => '');
  const header = { ...heading, cells: [...heading.cells, ...unnamed] };
  return { format: { ...report.data.format, ...place }, header, rows: limitRows(letters, rows) };
}

/** Returns the first rows: those above the heading, and some below it. */
async function takeFirst(rows: AsyncGenerator<TableRow>): Promise<TableRow[]> {
  const first: TableRow[] = [];
  while (first.length < 2 * maxRowsAbove) {
    const next = await rows.next();
    if (next.done) break;
    first.push(next.value);
  }
  return first;
}

async function* limitRows(first: readonly TableRow[], others: AsyncIterable<TableRow>): AsyncGenerator<TableRow> {
  yield* first;
  let found = first.length;
  for await (const row of others) {
    found += 1;
    if (found > tableLimits.rows) throw new TableFault('too_many_rows');
    yield row;
  }
}

/** A JSON text of the longest row: each character may take 6 bytes. */
const maxLineBytes = tableLimits.columns * (tableLimits.cellLength + 1) * 6 + 1_000;

/** Security: the child opened untrusted bytes, so every line is checked as if it were hostile. */
async function* readRows(path: string): AsyncGenerator<TableRow> {
  let last = 0;
  let found = 0;
  for await (const line of readLines(path)) {
    const row = toRow(line);
    found += 1;
    if (!row || row.row <= last || found > tableLimits.rows + 1 + maxRowsAbove) throw new TableFault('too_hard');
    last = row.row;
    yield row;
  }
}

async function* readLines(path: string): AsyncGenerator<string> {
  let rest = Buffer.alloc(0);
  for await (const chunk of createReadStream(path, { highWaterMark: 256 * 1024 })) {
    const bytes = Buffer.concat([rest, chunk as Buffer]);
    let from = 0;
    for (let at = bytes.indexOf(0x0a); at >= 0; at = bytes.indexOf(0x0a, from)) {
      yield bytes.toString('utf8', from, at);
      from = at + 1;
    }
    rest = bytes.subarray(from);
    if (rest.length > maxLineBytes) throw new TableFault('too_hard');
  }
}

function toRow(line: string): TableRow | null {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return null;
  }
  if (!Array.isArray(value) || value.length > tableLimits.columns + 1) return null;
  const [row, ...cells] = value as unknown[];
  if (typeof row !== 'number' || !Number.isSafeInteger(row) || row < 1 || row > maxRowNumber) return null;
  if (!cells.every((cell) => typeof cell === 'string' && cell.length <= tableLimits.cellLength + 1)) return null;
  return { row, cells: cells as string[] };
}
