import { printsState } from '#common/documents/addressing/city-with-state.ts';
import { toCountryCode } from '#common/fields/country-names.ts';
import type { Zone } from '#common/pricing/tariff.schema.ts';
import type { TableRow } from '../file/read-table.ts';
import type { BulkMapping } from '../model/bulk-fields.ts';
import { isAddressRole, kindOfColumn } from './column-words.ts';
import { readCells, type Sample, wordsOf } from './guess-mapping.ts';
import { cleanCell } from './read-cell.ts';
import { readLetter } from './read-letter.ts';

/** Rows that the meaning of columns is guessed from. */
const sampleRows = 200;

/** Takes the first rows off a list. The rows that it returns are all of them. */
export async function peekRows(
  rows: AsyncIterable<TableRow>,
): Promise<{ sample: string[][]; rows: AsyncIterable<TableRow> }> {
  const iterator = rows[Symbol.asyncIterator]();
  const first: TableRow[] = [];
  while (first.length < sampleRows) {
    const next = await iterator.next();
    if (next.done) break;
    first.push(next.value);
  }
  async function* all() {
    yield* first;
    yield* { [Symbol.asyncIterator]: () => iterator };
  }
  return { sample: first.map(({ cells }) => cells), rows: all() };
}

export type Watch = {
  header: readonly string[];
  sample: Sample;
  mapping: BulkMapping;
  /** Columns that are not needed, by index. */
  ignored: readonly number[];
  zone: Zone | null;
};

/** What a list has beside the columns of its letters. */
export type LeftColumns = {
  /** Columns with content that no letter uses. */
  unusedColumns: string[];
  /** Those of them that look like a part of the address, and say what the letter does not. */
  undecidedColumns: string[];
};

/** Finds the columns that letters do not use, from the first rows on. `watch` looks at all rows as they pass. */
export function watchColumns({ header, sample, mapping, ignored, zone }: Watch) {
  const used = [...Object.values(mapping.fields).flat(), ...mapping.variables.map(({ column }) => column)];
  const left = header
    .keys()
    .filter((column) => !used.includes(column))
    .toArray();
  const looksLike = findPartsOfAddress({ header, sample, mapping });
  const doubtful = new Set(left.filter((column) => looksLike(column) && !ignored.includes(column)));
  const [filled, undecided, open] = [new Set<number>(), new Set<number>(), new Set(left)];

  function see(cells: readonly string[]): void {
    for (const column of open) {
      const cell = cleanCell(cells[column]);
      if (cell === '') continue;
      filled.add(column);
      if (doubtful.has(column) && isPrinted(cell, column, cells)) continue;
      if (doubtful.has(column)) undecided.add(column);
      open.delete(column);
    }
  }

  function isPrinted(cell: string, column: number, cells: readonly string[]): boolean {
    const { country, state } = readLetter(cells, mapping, zone);
    const role = kindOfColumn(header[column] ?? '')?.role;
    if (role === 'country' && toCountryCode(cell) === country) return true;
    if (role === 'state' && (state !== '' || !printsState(country))) return true;
    const printed = wordsOf(used.map((index) => cells[index] ?? '').join(' '));
    return wordsOf(cell)
      .trim()
      .split(' ')
      .every((word) => printed.includes(` ${word} `));
  }

  for (const cells of sample) see(cells);
  const names = (columns: ReadonlySet<number>) => header.filter((_, column) => columns.has(column));
  async function* watch(rows: AsyncIterable<TableRow>): AsyncGenerator<TableRow> {
    for await (const row of rows) {
      see(row.cells);
      yield row;
    }
  }
  return {
    watch,
    found: (): LeftColumns => ({ unusedColumns: names(filled), undecidedColumns: names(undecided) }),
  };
}

const numberOrLetter = /^(?:\d{1,4} ?\p{L}?|\p{L})$/u;

/** A column is taken for a part of the address by its heading, or as short numbers or letters beside the street. */
function findPartsOfAddress({ header, sample, mapping }: Pick<Watch, 'header' | 'sample' | 'mapping'>) {
  const cells = readCells(sample);
  const street = mapping.fields.line1 ?? [];
  const ofStreet = [...street, ...(mapping.fields.box ?? [])];
  const hasNumber = street.length > 1 || street.some((column) => cells.haveDigits(column));
  return (column: number): boolean => {
    const kind = kindOfColumn(header[column] ?? '');
    if (kind === null) {
      const isBeside = ofStreet.some((each) => Math.abs(each - column) === 1);
      return isBeside && cells.all(column, numberOrLetter);
    }
    if (kind.role === 'shortNumber') return !hasNumber;
    return isAddressRole(kind.role) && (!/[Nn]ame$|^title$|contact|company/.test(kind.role) || cells.areNames(column));
  };
}
