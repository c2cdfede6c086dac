import { toCountryCode } from '#common/fields/country-names.ts';
import { type BulkField, type BulkMapping, fieldOf, maxJoinedColumns } from '../model/bulk-fields.ts';
import { type ColumnKind, type ColumnRole, foldColumnName, kindOfColumn } from './column-words.ts';
import { cleanCell } from './read-cell.ts';

/** The first rows of a list: their cells tell apart what headings leave open. */
export type Sample = readonly (readonly string[])[];

type Column = ColumnKind & { index: number };

/** Where the number of the house stands before the street. */
const numberFirst = ['AU', 'CA', 'FR', 'GB', 'IE', 'LU', 'MC', 'NZ', 'US', 'ZA'];
const shortNumber = /^\d{1,4} ?\p{L}?$/u;
const boxWords = /^(?:bus|bo[iî]te|bte|box|apt|app|flat|unit)\b/iu;
const titles =
  /^(?:m|mr|mrs|ms|miss|mx|dr|prof|ir|ing|dhr|de heer|heer|mevr|mevrouw|mw|mme|mlle|madame|monsieur|mademoiselle|ma?[iî]tre|me|herr|frau|sr|sra|se[nñ]or|se[nñ]ora|sig|sig\.ra|dott|pan|pani)\.?$/iu;

/**
 * Guesses which columns are which fields from their headings and from the cells of the first rows, and which are the
 * variables of a template. A field without a column is absent. Columns in `ignored` are not used for fields.
 */
export function guessMapping(
  header: readonly string[],
  variables: readonly string[] = [],
  { sample = [], ignored = [] }: { sample?: Sample; ignored?: readonly number[] } = {},
): BulkMapping {
  const cells = readCells(sample);
  const kinds = header.map((name, index) => (ignored.includes(index) ? null : kindOfColumn(name)));
  const known = kinds.flatMap((kind, index): Column[] => (kind ? [{ ...kind, index }] : []));
  const all = columnsOfAddress(known, cells);
  const first = (...roles: ColumnRole[]) => roles.flatMap((role) => all(role).slice(0, 1))[0];

  const fields: BulkMapping['fields'] = {};
  const set = (field: BulkField, ...columns: (number | undefined)[]) => {
    const found = [...new Set(columns.flatMap((column) => column ?? []))].slice(0, maxJoinedColumns);
    if (found.length > 0) fields[field] = found;
  };
  const { name, company } = guessNames(all, cells);
  set('name', ...name);
  set('company', company);

  const isFree = (index: number) => kinds[index] === null && !ignored.includes(index);
  const sureNumber = first('number');
  // Shops repeat all lines of an address as its street.
  const firstLine = known.find(({ line, index }) => line === 1 && all('address').includes(index))?.index;
  const street = sureNumber === undefined && firstLine !== undefined ? firstLine : first('street', 'address');
  const number = street === undefined ? undefined : findNumber(street, { sureNumber, all, cells, isFree });
  const inOrder =
    number !== undefined && startsWithNumber(first('country'), cells) ? [number, street] : [street, number];
  set('line1', ...inOrder, ...(street === undefined ? [] : all('addition').slice(0, 1)));
  const beside = [street, number, ...all('addition')].flatMap((index) => (index === undefined ? [] : [index + 1]));
  set('box', first('box') ?? beside.find((index) => isFree(index) && cells.all(index, boxWords)));
  const lines = known.filter(({ role, index }) => role === 'extraLine' && all('extraLine').includes(index));
  set('line2', ...all('extra'), ...lines.sort((a, b) => a.line - b.line).map(({ index }) => index));
  for (const field of ['zip', 'city', 'state', 'country', 'file'] as const) set(field, first(field));
  const running = all('shortNumber').find((index) => index !== number && cells.areDistinct(index));
  set('reference', first('reference') ?? running);
  return {
    fields,
    variables: nameVariables(
      header,
      variables.filter((name) => fieldOf(name, { fields }) === undefined),
    ),
    ...((fields.line2?.length ?? 0) > 1 && { separators: { line2: ', ' } }),
  };
}

function nameVariables(header: readonly string[], variables: readonly string[]): BulkMapping['variables'] {
  const folded = header.map(foldColumnName);
  return variables.flatMap((name) => {
    const column = folded.indexOf(foldColumnName(name));
    return column < 0 || folded[column] === '' ? [] : [{ name, column }];
  });
}

type All = (role: ColumnRole) => number[];
type Cells = ReturnType<typeof readCells>;

/** Chooses one address of those that a row has, by its cells, and returns its columns and those of no other address. */
function columnsOfAddress(columns: readonly Column[], cells: Cells): All {
  const places: readonly ColumnRole[] = ['street', 'address', 'city', 'zip'];
  const found = new Map<string, number>();
  for (const { group, role, index } of columns) {
    if (places.includes(role)) found.set(group, (found.get(group) ?? 0) + 1 + 10 * cells.of(index).length);
  }
  const [[chosen] = ['']] = [...found].sort(([, a], [, b]) => b - a);
  return (role) => {
    const isOther = ({ group }: Column) => group !== '' && group !== chosen && found.has(group);
    const usable = columns.filter((each) => each.role === role && !isOther(each));
    const own = usable.filter(({ group }) => group === chosen);
    return (own.length > 0 ? own : usable).map(({ index }) => index);
  };
}

/** Company and person are apart only when a list has both. */
function guessNames(all: All, cells: Cells): { name: (number | undefined)[]; company?: number } {
  const people = (role: ColumnRole) => all(role).find((index) => cells.areNames(index));
  const [fullName, whole] = [people('fullName'), people('fullName') ?? people('name')];
  const [first, last] = [people('firstName'), people('lastName')];
  // `Name` is what first and last name leave: `Prénom` and `Nom`, `Nome` and `Cognome`.
  const firstName =
    first ?? (last !== undefined && whole !== undefined && !cells.contain(whole, last) ? whole : undefined);
  const lastName = last ?? (first === undefined || fullName !== undefined ? undefined : whole);
  const title = all('title').find((index) => cells.of(index).length > 0 && cells.all(index, titles));
  // A name that repeats the first name is a whole one.
  const isWhole = firstName !== undefined && lastName !== undefined && cells.contain(lastName, firstName);
  const parts = [firstName, people('middleName'), people('infix'), lastName, people('suffix')];
  const isSplit = fullName === undefined && !isWhole && lastName !== undefined;
  const single = isWhole ? lastName : (whole ?? firstName);
  const contact = people('contact');
  const person = isSplit ? parts : [single];
  const hasPerson = isSplit || single !== undefined;
  const company = people('company') ?? (hasPerson && !isSplit && contact !== undefined ? single : undefined);
  const named = company !== undefined && company === single ? [contact] : hasPerson ? person : [contact];
  if (named.every((index) => index === undefined)) return { name: [company] };
  return { name: [title, ...named], ...(company !== undefined && { company }) };
}

type Numbers = { sureNumber: number | undefined; all: All; cells: Cells; isFree: (index: number) => boolean };

/** Finds the column of the house number: by its heading, or by its cells beside streets without a number. */
function findNumber(street: number, { sureNumber, all, cells, isFree }: Numbers): number | undefined {
  if (sureNumber !== undefined) return cells.contain(street, sureNumber) ? undefined : sureNumber;
  if (cells.haveDigits(street)) return undefined;
  const beside = (index: number) => isFree(index) && cells.of(index).length > 0 && cells.all(index, shortNumber);
  return all('shortNumber')[0] ?? [street + 1, street - 1].find(beside);
}

function startsWithNumber(country: number | undefined, cells: Cells): boolean {
  const codes = country === undefined ? [] : cells.of(country).map((text) => toCountryCode(text) ?? '');
  return codes.filter((code) => numberFirst.includes(code)).length * 2 > codes.length;
}

/** Answers what the cells of the first rows look like. Without rows, headings decide. */
export function readCells(sample: Sample) {
  const of = (index: number) => sample.map((cells) => cleanCell(cells[index])).filter((text) => text !== '');
  const half = (index: number, test: (text: string) => boolean) => {
    const found = of(index);
    return found.length > 0 && found.filter(test).length * 2 >= found.length;
  };
  return {
    of,
    all: (index: number, pattern: RegExp) => of(index).length > 0 && of(index).every((text) => pattern.test(text)),
    haveDigits: (index: number) => half(index, (text) => /\d/.test(text)),
    areNames: (index: number) =>
      of(index).length === 0 || half(index, (text) => /\p{L}/u.test(text) && !/@/.test(text)),
    areDistinct: (index: number) => new Set(of(index)).size === of(index).length,
    /** Whether most cells of a column contain that of another. */
    contain: (index: number, part: number) => {
      const filled = sample.filter((cells) => cleanCell(cells[part]) !== '');
      const isIn = (cells: readonly string[]) => wordsOf(cells[index]).includes(wordsOf(cells[part]));
      return filled.length > 0 && filled.filter(isIn).length * 2 >= filled.length;
    },
  };
}

/** Returns a text with spaces for punctuation and around it. */
export function wordsOf(text = ''): string {
  return ` ${text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, ' ')} `.replaceAll(/ +/g, ' ');
}
