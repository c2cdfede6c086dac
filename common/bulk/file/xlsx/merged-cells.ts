import { tableLimits } from '../table-limits.ts';

const letterA = 64;

/** Returns the number of a column, from 1, by its letters. */
export function toColumnNumber(letters: string): number {
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - letterA, 0);
}

export type MergedCells = ReturnType<typeof createMergedCells>;

/** Creates what knows the merged cells of a sheet: one over several rows has the value of each, in its first column. */
export function createMergedCells() {
  const merged = new Map<number, { column: number; to: number }[]>();
  let open: { column: number; to: number; text: string }[] = [];

  return {
    /** Notes a range, such as `B2:C5`. */
    add(range = ''): void {
      const [, letters = '', from, to] = /^([A-Z]{1,3})(\d{1,7}):[A-Z]{1,3}(\d{1,7})$/.exec(range) ?? [];
      const column = toColumnNumber(letters);
      if (Number(to) <= Number(from) || letters === '' || column > tableLimits.columns) return;
      if (!merged.has(Number(from))) merged.set(Number(from), []);
      merged.get(Number(from))?.push({ column, to: Number(to) });
    },
    isEmpty: () => merged.size === 0,
    /** Fills in the values that a row has of merged cells above, and returns how many. Rows come in order. */
    fill(cells: string[], row: number): number {
      open = open.filter(({ to }) => to >= row);
      // Without a cell of its own, it is no row of the list: each letter takes several rows of the sheet.
      const isRow = cells.some((cell) => cell !== '');
      const missing = isRow ? open.filter(({ column, text }) => text !== '' && !cells[column - 1]) : [];
      for (const { column, text } of missing) {
        while (cells.length < column) cells.push('');
        cells[column - 1] = text;
      }
      for (const each of merged.get(row) ?? []) open.push({ ...each, text: cells[each.column - 1] ?? '' });
      return missing.length;
    },
  };
}
