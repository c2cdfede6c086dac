import { printsState } from '#common/documents/addressing/city-with-state.ts';
import { toCountryCode } from '#common/fields/country-names.ts';
import type { Zone } from '#common/services.ts';
import type { TableRow } from '../file/read-table.ts';
import type { BulkMapping } from '../model/bulk-fields.ts';
import { type ColumnRole, hintOfHeading, isAddressRole } from './column-words.ts';
import {
  belgianProvince,
  boxWords,
  canBeFlags,
  kindsOfColumns,
  numberOrLetter,
  readCells,
  type Sample,
  shortNumber,
  titles,
  wordsOf,
  yesOrNo,
} from './guess-mapping.ts';
import { isUnnamed } from './name-columns.ts';
import { cleanCell } from './read-cell.ts';
import { type LetterFields, readLetter } from './read-letter.ts';

/** Rows that the meaning of columns is guessed from. */
const sampleRows = 200;
/** As much of a cell says what its column is. */
const maxLook = 200;

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
  return { sample: first.map(({ cells }) => cells.map(cut)), rows: all() };
}

const cut = (cell: string) => cell.slice(0, maxLook);

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
  const doubtOf = findDoubts({ header, sample, mapping });
  const doubts = new Map(left.map((column) => [column, ignored.includes(column) ? null : doubtOf(column)]));
  const [filled, undecided, open] = [new Set<number>(), new Set<number>(), new Set(left)];

  function see(cells: readonly string[]): void {
    let row: SeenRow | undefined;
    for (const column of open) {
      const cell = cleanCell(cut(cells[column] ?? ''));
      if (cell === '') continue;
      filled.add(column);
      const isDoubtful = doubts.get(column);
      if (isDoubtful) {
        row ??= seeRow(cells);
        if (!isDoubtful(cell, row)) continue;
        undecided.add(column);
      }
      open.delete(column);
    }
  }

  function seeRow(cells: readonly string[]): SeenRow {
    const short = cells.map(cut);
    const words = wordsOf(used.map((index) => short[index] ?? '').join(' ')).trim();
    return { letter: readLetter(short, mapping, zone), words: new Set(words.split(' ')) };
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

type SeenRow = { letter: LetterFields; words: ReadonlySet<string> };
type Doubt = (cell: string, row: SeenRow) => boolean;

const isFlag = (cell: string) => cell.includes('@') || (yesOrNo.test(cell) && !/^si$/i.test(cell));
export const isPhone = (cell: string) => /^\+?[\d ()./-]+$/.test(cell) && cell.replaceAll(/\D/g, '').length > 7;
const isDate = (cell: string) =>
  /^\d{1,2}[-./ ]\d{1,2}[-./ ](?:19|20)\d\d\b|^(?:19|20)\d\d[-./]\d{1,2}[-./]\d{1,2}\b/.test(cell);
const isMoney = (cell: string) => /[€$£]|\b(?:EUR|USD|GBP|CHF|PLN)\b|^-?\d{3,}[.,]\d\d$/.test(cell);
const isPlain = (cell: string) => [isFlag, isPhone, isDate, isMoney].some((test) => test(cell));
const isLong = (cell: string) => cell.length > 40;
const ofCountry = /countr|\b(?:land|pays|paese|pa[ií]s|staat|stato|kraj)\b/iu;

/**
 * Returns what tells of each cell of a column whether it may be a part of the address that the letter lacks; null for a
 * column that has none. One without a heading that is known is taken for a part by the words of its heading, between columns
 * of the address, and by countries and boxes in its cells.
 */
function findDoubts({ header, sample, mapping }: Pick<Watch, 'header' | 'sample' | 'mapping'>) {
  const cells = readCells(sample);
  const kinds = kindsOfColumns(header);
  const { reference, file, ...ofAddress } = mapping.fields;
  const columns = Object.values(ofAddress).flat();
  const [from, to] = [Math.min(...columns), Math.max(...columns)];
  const street = [...(mapping.fields.line1 ?? []), ...(mapping.fields.box ?? [])];
  const lines = sample.map((row) => (mapping.fields.line1 ?? []).map((index) => row[index] ?? '').join(' '));
  const lackNumbers = lines.filter((line) => !/\d/.test(line)).length * 2 > lines.length;
  // NO and SI are countries too, if the letters have none.
  const isLackedCountry = (cell: string) =>
    !mapping.fields.country && !mapping.defaultCountry && toCountryCode(cell) !== null;

  return (column: number): Doubt | null => {
    const name = header[column] ?? '';
    const role = kinds[column]?.role;
    if (role === undefined) {
      const hint = hintOfHeading(name);
      if (isUnnamed(name)) return (cell) => !isPlain(cell) || isLackedCountry(cell);
      if (hint === 'other') return (cell, row) => isBox(cell) && !isPrinted(cell, row);
      const canBeFlag = (cell: string) => isFlag(cell) && !(ofCountry.test(name) && isLackedCountry(cell));
      if (hint === 'address') return (cell, row) => !canBeFlag(cell) && !isPrinted(cell, row);
      const isInside = (column > from && column < to) || cells.areCountries(column);
      // A title of one letter may be a gender. Initials are a part of a name that is in one column.
      const isPersonal =
        (cells.all(column, titles) && cells.all(column, /../)) ||
        (mapping.fields.name?.length === 1 && cells.all(column, /^(?:\p{Lu}\.[ -]?)+$/u));
      const isNumber = lackNumbers && cells.all(column, shortNumber) && !cells.areRunning(column);
      const isBeside = street.some((each) => Math.abs(each - column) === 1) && cells.all(column, numberOrLetter);
      return (cell, row) =>
        (isInside || isBeside
          ? !isPlain(cell) && !isLong(cell)
          : isPersonal || isBox(cell) || anotherPlace.test(cell) || (isNumber && !/\d/.test(row.letter.line1))) &&
        !isPrinted(cell, row);
    }
    if (role === 'shortNumber')
      return cells.areRunning(column) && column < from ? null : (_, { letter }) => !/\d/.test(letter.line1);
    if (!isAddressRole(role) || (/[Nn]ame$|^title$|contact|company/.test(role) && !cells.areNames(column))) return null;
    return (cell, row) => !(yesOrNo.test(cell) && canBeFlags(role, name)) && !isPrinted(cell, row, role);
  };

  function isPrinted(cell: string, { letter, words }: SeenRow, role?: ColumnRole): boolean {
    const { country, state } = letter;
    if (role === 'country' && toCountryCode(cell) === country) return true;
    if (role === 'state' && (state !== '' || belgianProvince.test(cell))) return true;
    if (role === 'state' && (mapping.fields.country || mapping.defaultCountry) && !printsState(country)) return true;
    // The number of the house may be that of the floor.
    if (numberOrLetter.test(cell) && (role === undefined || role === 'extra' || role === 'extraLine')) return false;
    return wordsOf(cell)
      .trim()
      .split(' ')
      .every((word) => words.has(word));
  }
}

/** A postal code and its city in a text. */
const anotherPlace = /(?:^|[ ,])(?:\d{4} ?[A-Z]{2}|\d{4,5}),? \p{Lu}\p{L}{2}/u;
const isBox = (cell: string) => boxWords.test(cell) && /\d/.test(cell) && cell.length < 20;
