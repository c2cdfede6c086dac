import { hasPostalCode } from './postal-code-text.ts';
import { maxRowsAbove } from './table-limits.ts';

type Row = { row: number; cells: string[] };

/**
 * Where the heading of a list is. `headerRow`: its row in the file, 0 without one. `titleRows`: rows with content above it.
 * `secondHeading`: whether the row below repeats the heading in other words.
 */
export type HeadingPlace = { headerRow: number; titleRows: number; secondHeading: boolean };

type Heading = HeadingPlace & { heading: Row; letters: Row[] };

type HeadingSearch = { countFields: (cells: readonly string[]) => number; wanted: number | undefined };

/** So many fields of a letter make a row a heading that stands below another row. */
const sureFields = 3;

/**
 * Finds the heading in the first rows of a list: the first row, unless a later one names fields of a letter and it does
 * not. A list whose first row has numbers, and no field, has no heading. Columns are then named by their number.
 */
export function findHeading(first: readonly Row[], { countFields, wanted }: HeadingSearch): Heading {
  const fields = first.slice(0, maxRowsAbove + 1).map(({ cells }) => countFields(cells));
  const index = wanted === undefined ? findIndex(first, fields) : first.findIndex(({ row }) => row >= wanted);
  if (wanted === 0 || (wanted === undefined && index < 0)) {
    const width = Math.max(0, ...first.map(({ cells }) => cells.length));
    const heading = { row: 0, cells: Array.from({ length: width }, () => '') };
    return { heading, letters: [...first], headerRow: 0, titleRows: 0, secondHeading: false };
  }
  const heading = first[index] ?? { row: 1, cells: [] };
  const secondHeading = (fields[index] ?? 0) > 1 && (fields[index + 1] ?? 0) >= sureFields;
  return {
    heading: { ...heading, cells: withGroups(heading.cells, first[index - 1]?.cells) },
    letters: index < 0 ? [] : first.slice(index + (secondHeading ? 2 : 1)),
    ...{ headerRow: heading.row, titleRows: Math.max(0, index), secondHeading },
  };
}

/** Returns the index of the heading; -1 for none. */
function findIndex(first: readonly Row[], fields: readonly number[]): number {
  if ((fields[0] ?? 0) >= sureFields) return 0;
  const most = Math.max(0, ...fields);
  if (most >= sureFields || (most > 1 && most > (fields[0] ?? 0))) return fields.indexOf(most);
  // A street may be named as a heading is: Rue 1.
  if ((fields[0] ?? 0) > (isData(first[0], first) ? 1 : 0)) return 0;
  // A title has few cells, and a heading as many as most rows.
  const filled = first.map(({ cells }) => cells.filter((cell) => cell.trim() !== '').length);
  const usual = filled.toSorted((left, right) => left - right)[Math.floor(filled.length / 2)] ?? 0;
  const start = Math.max(
    0,
    filled.findIndex((count) => count * 2 >= usual),
  );
  return isData(first[start], first.slice(start)) ? -1 : start;
}

const isData = (row: Row | undefined, rows: readonly Row[]) => {
  // A heading may begin with a year: 2026 Kontingent. 2000 Antwerpen has other cities below.
  const isYear = (cell: string, column: number) =>
    /^(?:19|20)\d\d,? \p{L}{3}/u.test(cell) &&
    !rows.some((one) => one !== row && hasPostalCode(one.cells[column]?.trim() ?? ''));
  const hasCode = (cell: string, column: number) => hasPostalCode(cell) && !isYear(cell, column);
  return row?.cells.some((cell, column) => /^\s*\d[\d\s.-]{2,}$|@/.test(cell) || hasCode(cell.trim(), column)) ?? false;
};

/** Names of groups stand above their first column. They tell columns of one name apart. */
function withGroups(cells: readonly string[], above: readonly string[] = []): string[] {
  const groups = above.filter((cell) => cell.trim() !== '').length;
  if (groups < 2 || new Set(cells).size === cells.length) return [...cells];
  let group = '';
  return cells.map((cell, index) => {
    group = above[index]?.trim() || group;
    return cell.trim() === '' ? cell : `${group} ${cell}`.trim();
  });
}
