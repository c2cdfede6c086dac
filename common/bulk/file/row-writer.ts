import { closeSync, openSync, writeSync } from 'node:fs';
import { TableFault } from './table-fault.ts';
import { tableLimits } from './table-limits.ts';

/** Writes the rows of a table as lines of JSON: the row number in the file, then the cells. */
export type RowWriter = {
  /** Adds the next row of the file; a blank one only counts. Throws TableFault beyond the limits. */
  add(cells: readonly string[]): void;
  /** Writes what is left, and returns the number of rows that are not blank, the header included. */
  finish(): number;
};

const flushLength = 256 * 1024;

/** Creates the writer of a file in the folder of the child. */
export function createRowWriter(path: string): RowWriter {
  const file = openSync(path, 'wx');
  let [rowNumber, written, waiting] = [0, 0, ''];
  const flush = () => {
    writeSync(file, waiting);
    waiting = '';
  };

  return {
    add(cells) {
      rowNumber += 1;
      // A sheet may end with a million formatted rows without cells. Blank lines of a CSV have one.
      if (rowNumber > tableLimits.rows + 1 && cells.length > 0) throw new TableFault('too_many_rows');
      const last = cells.findLastIndex((cell) => cell.trim() !== '');
      if (last < 0) return;
      if (last >= tableLimits.columns) throw new TableFault('too_many_columns', { count: last + 1 });
      // A cell that is too long stays too long, and is reported with its row and column.
      const kept = cells.slice(0, last + 1).map((cell) => cell.slice(0, tableLimits.cellLength + 1).toWellFormed());
      waiting += `${JSON.stringify([rowNumber, ...kept])}\n`;
      written += 1;
      if (waiting.length > flushLength) flush();
    },
    finish() {
      flush();
      closeSync(file);
      return written;
    },
  };
}
