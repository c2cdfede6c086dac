import { closeSync, openSync, writeSync } from 'node:fs';
import { TableFault } from './table-fault.ts';
import { maxRowsAbove, tableLimits } from './table-limits.ts';

/** Writes the rows of a table as lines of JSON: the row number in the file, then the cells. */
export type RowWriter = {
  /** Adds the next row of the file; a blank one only counts. Throws TableFault beyond the limits. */
  add(cells: readonly string[]): void;
  /** Returns the number of rows so far that are not blank, the header included. */
  count(): number;
  /** Returns the number of columns that the widest row has. */
  width(): number;
  /** Forgets all rows: another sheet is read. */
  restart(): void;
  /** Writes what is left. */
  finish(): void;
};

const flushLength = 256 * 1024;

/** Creates the writer of a file in the folder of the child. */
export function createRowWriter(path: string): RowWriter {
  let file = openSync(path, 'wx');
  let [rowNumber, written, width, waiting] = [0, 0, 0, ''];
  const flush = () => {
    writeSync(file, waiting);
    waiting = '';
  };

  return {
    add(cells) {
      rowNumber += 1;
      // A sheet may end with a million formatted rows without cells. Blank lines of a CSV have one. The reader of the rows
      // knows which of them are titles and headings.
      if (rowNumber > tableLimits.rows + 1 + maxRowsAbove && cells.length > 0) throw new TableFault('too_many_rows');
      const last = cells.findLastIndex((cell) => cell.trim() !== '');
      if (last < 0) return;
      if (last >= tableLimits.columns) throw new TableFault('too_many_columns', { count: last + 1 });
      // A cell that is too long stays too long, and is reported with its row and column.
      const kept = cells.slice(0, last + 1).map((cell) => cell.slice(0, tableLimits.cellLength + 1).toWellFormed());
      waiting += `${JSON.stringify([rowNumber, ...kept])}\n`;
      written += 1;
      width = Math.max(width, kept.length);
      if (waiting.length > flushLength) flush();
    },
    count: () => written,
    width: () => width,
    restart() {
      closeSync(file);
      file = openSync(path, 'w');
      [rowNumber, written, width, waiting] = [0, 0, 0, ''];
    },
    finish() {
      flush();
      closeSync(file);
    },
  };
}
