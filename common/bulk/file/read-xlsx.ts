import { readSheet } from 'read-excel-file/node';
import type { RowWriter } from './row-writer.ts';
import { TableFault } from './table-fault.ts';
import { readZipDirectory } from './zip-directory.ts';

/**
 * Reads the rows of the first sheet of an XLSX file. Numbers are written as a person would; dates as `yyyy-mm-dd`. Throws
 * TableFault.
 */
export async function readXlsx(bytes: Buffer, rows: RowWriter): Promise<{ kind: 'xlsx' }> {
  // The sizes in the directory first: a bomb is refused before anything is unpacked.
  readZipDirectory(bytes);
  const sheet = await readSheet(bytes, { trim: false }).catch((error: unknown) => {
    throw new TableFault('damaged_xlsx', {}, { cause: error });
  });
  for (const cells of sheet) rows.add(cells.map(toText));
  return { kind: 'xlsx' };
}

function toText(cell: unknown): string {
  if (cell === null || cell === undefined) return '';
  if (cell instanceof Date) return cell.toISOString().replace(/T00:00:00\.000Z$/, '');
  // Without an exponent: a long customer number stays one.
  if (typeof cell === 'number') return Number.isInteger(cell) ? BigInt(cell).toString() : String(cell);
  return String(cell);
}
