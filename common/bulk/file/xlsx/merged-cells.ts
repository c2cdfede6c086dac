import { TableFault } from '../table-fault.ts';
import { maxMergedRanges, tableLimits } from '../table-limits.ts';

const letterA = 64;
const placeOf = (row: number, column: number) => row * (tableLimits.columns + 1) + column;

/** Returns the number of a column, from 1, by its letters. */
export function toColumnNumber(letters: string): number {
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - letterA, 0);
}

export type MergedCells = ReturnType<typeof createMergedCells>;

/** Creates what knows the merged cells of a sheet: one over several rows has the value of each, in its first column. */
export function createMergedCells() {
  /** The last row of each range, by its first row and column. One map, because one for each row takes 140 MB. */
  const merged = new Map<number, number>();
  const columns = new Set<number>();
  /** The ranges that a row is in, by their column: the work for a row does not grow with all that begin above it. */
  const open = new Map<number, { to: number; text: string }>();

  return {
    /** Notes a range, such as `B2:C5`. Of those that overlap, the one that ends last counts. Throws TableFault. */
    add(range = ''): void {
      const [, letters = '', from, to] = /^([A-Z]{1,3})(\d{1,7}):[A-Z]{1,3}(\d{1,7})$/.exec(range) ?? [];
      const column = toColumnNumber(letters);
      if (Number(to) <= Number(from) || letters === '' || column > tableLimits.columns) return;
      const key = placeOf(Number(from), column);
      merged.set(key, Math.max(Number(to), merged.get(key) ?? 0));
      columns.add(column);
      if (merged.size > maxMergedRanges) throw new TableFault('too_many_merged_cells');
    },
    isEmpty: () => merged.size === 0,
    /** Fills in the values that a row has of merged cells above, and returns how many. Rows come in order. */
    fill(cells: string[], row: number): number {
      for (const [column, { to }] of open) if (to < row) open.delete(column);
      // Without a cell of its own, it is no row of the list: each letter takes several rows of the sheet.
      const isRow = cells.some((cell) => cell !== '');
      const missing = isRow ? [...open].filter(([column, { text }]) => text !== '' && !cells[column - 1]) : [];
      for (const [column, { text }] of missing) {
        while (cells.length < column) cells.push('');
        cells[column - 1] = text;
      }
      for (const column of columns) {
        const to = merged.get(placeOf(row, column)) ?? 0;
        if (to > (open.get(column)?.to ?? 0)) open.set(column, { to, text: cells[column - 1] ?? '' });
      }
      return missing.length;
    },
  };
}
