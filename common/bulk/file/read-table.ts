import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { ChildLimits } from '#common/documents/isolation/child-limits.ts';
import type { RenderSlot } from '#common/documents/isolation/render-slots.ts';
import { runInSlot } from '#common/documents/isolation/run-in-slot.ts';
import type { Language } from '#common/languages.ts';
import type { Log } from '#common/platform/process/log.ts';
import { tableEncodings } from './detect-encoding.ts';
import { tableSeparators } from './detect-separator.ts';
import { isTableFaultName, TableFault } from './table-fault.ts';
import { maxRowNumber, tableLimits } from './table-limits.ts';

const mib = 1024 * 1024;

/** XLSX files of 100,000 rows and 8 columns took 2.4 s and 130 MB, CSV files of 100 MB took 5 s. */
const limits: ChildLimits = {
  ...{ cpuS: 60, wallMs: 120_000 },
  ...{ dataBytes: 640 * mib, fileBytes: 256 * mib, openFiles: 64 },
};

const entryPath = fileURLToPath(new URL('./read-table.child.ts', import.meta.url));

const TableFormat = z.union([
  z.strictObject({ kind: z.literal('xlsx') }),
  z.strictObject({
    kind: z.enum(['csv', 'zip']),
    encoding: z.enum(tableEncodings),
    separator: z.enum(tableSeparators),
  }),
]);
/** What a file was read as. `zip`: documents, with an index in CSV. */
export type TableFormat = z.infer<typeof TableFormat>;

const count = z.int().min(0).max(1_000_000_000);
const Report = z.union([
  z.strictObject({ format: TableFormat, rowCount: count }),
  z.object({ fault: z.string(), line: count.optional(), count: count.optional() }),
]);

/** A row of a table: its number in the file from 1, and its cells. Blank rows are left out. */
export type TableRow = { row: number; cells: string[] };

/** A table that was read: the first row is the header. `rows` are read from disk as they are consumed, once. */
export type Table = { format: TableFormat; header: TableRow; rows: AsyncIterable<TableRow> };

/** `language`: in which numbers and dates of a spreadsheet are written. */
export type ReadTableWork = { slot: RenderSlot; folder: string; language: Language; signal: AbortSignal; log: Log };

/**
 * Reads a bulk file in a fenced child process. Throws TableFault for a file that cannot be read, `ChildFailedError`, or the
 * signal's reason.
 */
export async function readTable(path: string, { slot, folder, language, signal, log }: ReadTableWork): Promise<Table> {
  const output = join(folder, 'rows.ndjson');
  const end = await runInSlot(slot, {
    program: { entryPath, permissions: 'plain' },
    args: [path, language],
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
  const first = await rows.next();
  if (first.done) throw new TableFault('empty');
  return { format: report.data.format, header: first.value, rows };
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
    // One more than the rows: the header.
    if (!row || row.row <= last || found > tableLimits.rows + 1) throw new TableFault('too_hard');
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
