import { homeCountry } from '#common/countries.ts';
import { toCountryCode } from '#common/fields/country-names.ts';
import { type BulkField, type BulkMapping, fieldOf, maxJoinedColumns } from '../model/bulk-fields.ts';
import { type ColumnKind, type ColumnRole, foldColumnName, kindOfColumn } from './column-words.ts';
import { isUnnamed, originalNames } from './name-columns.ts';
import { cleanCell } from './read-cell.ts';
import { findPlaceColumn } from './split-place.ts';

/** The first rows of a list: their cells tell apart what headings leave open. */
export type Sample = readonly (readonly string[])[];

type Column = ColumnKind & { index: number };

/** Where the number of the house stands before the street. */
const numberFirst = ['AU', 'CA', 'FR', 'GB', 'IE', 'LU', 'MC', 'NZ', 'US', 'ZA'];
export const shortNumber = /^\d{1,4} ?\p{L}?$/u;
/** What says only with its heading what it is: a floor, a box, a number. */
export const numberOrLetter = /^(?:\d{1,4} ?\p{L}?|\p{L})$/u;
export const yesOrNo = /^(?:yes|no|true|false|ja|nee|nein|oui|non|wahr|falsch|vrai|faux|s[iìí]|tak|nie)$/iu;
export const boxWords = /^(?:bus|bo[iî]te|bte|box|apt|app|flat|unit)\b/iu;
/** Provinces and regions, in our languages. Letters in Belgium do not print them. */
export const belgianProvince =
  /antwerp|anvers|vlaander|flandr|fl[aä]nder|braba|henegouwen|hainaut|hennegau|luik|li[eè]ge|l[uü]ttich|limb|luxemb|namen|namur|brussel|bruxelles|br[uü]ssel|wallon/iu;
const title =
  '(?:m|mr|mrs|ms|miss|mx|dr|prof|ir|ing|dhr|de heer|heer|mevr|mevrouw|mw|mme|mlle|madame|monsieur|mademoiselle|ma?[iî]tre|me|herr|frau|fam|familie|famille|sr|sra|se[nñ]or|se[nñ]ora|sig|sig\\.ra|dott|pan|pani)\\.?';
export const titles = new RegExp(`^${title}(?: ?(?:et|en|und|and|e|y|i|&|/|\\+) ?${title})?$`, 'iu');

const neverFlags = /^(?:country|state|city|infix)$|[Nn]ame$/;

/** Returns whether words for yes and no say nothing else in a column: NO is Norway and Novara, SI Slovenia, and No a name. */
export const canBeFlags = (role: ColumnRole, heading = '') =>
  !neverFlags.test(role) || /^(?:customer|client|klant|kunde|cliente|klient)$/.test(foldColumnName(heading));

/** `defaultCountry`: of the rows without one, if the owner said so. */
type Guessing = { sample?: Sample; ignored?: readonly number[]; defaultCountry?: string | undefined };

/**
 * Guesses which columns are which fields from their headings and from the cells of the first rows, and which are the
 * variables of a template. A field without a column is absent. Columns in `ignored` are not used for fields.
 */
export function guessMapping(
  header: readonly string[],
  variables: readonly string[] = [],
  { sample = [], ignored = [], defaultCountry }: Guessing = {},
): BulkMapping {
  const cells = readCells(sample);
  // A bus is also what some take to school.
  const isOther = ({ role }: ColumnKind, index: number) =>
    ignored.includes(index) || (canBeFlags(role, header[index]) && cells.all(index, yesOrNo));
  const kinds = kindsOfColumns(header).map((kind, index) => (kind === null || isOther(kind, index) ? null : kind));
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
  // A heading with a word says something else than the number of a house, such as an age.
  const isSilent = (index: number) =>
    isFree(index) && (isUnnamed(header[index] ?? '') || !/\p{L}{3}/u.test(header[index] ?? ''));
  const sureNumber = first('number');
  // Shops repeat all lines of an address as its street.
  const firstLine = known.find(({ line, index }) => line === 1 && all('address').includes(index))?.index;
  const street = sureNumber === undefined && firstLine !== undefined ? firstLine : first('street', 'address');
  const number =
    street === undefined
      ? undefined
      : findNumber(street, { sureNumber, all, cells, isSilent, names: [...name, company] });
  const isFirst = number !== undefined && startsWithNumber(first('country'), cells, defaultCountry);
  const inOrder = isFirst ? [number, street] : [street, number];
  set('line1', ...inOrder, ...(street === undefined ? [] : all('addition').slice(0, 1)));
  const beside = [street, number, ...all('addition')].flatMap((index) => (index === undefined ? [] : [index + 1]));
  set('box', first('box') ?? beside.find((index) => isFree(index) && cells.all(index, boxWords)));
  const lines = known.filter(({ role, index }) => role === 'extraLine' && all('extraLine').includes(index));
  const extra = [...all('extra'), ...lines.sort((a, b) => a.line - b.line).map(({ index }) => index)];
  set('line2', ...extra.filter((index) => !cells.of(index).some((text) => numberOrLetter.test(text))));
  for (const field of ['country', 'file'] as const) set(field, first(field));
  const [zip, city, country] = [first('zip'), first('city'), first('country')];
  const place = findPlaceColumn(header, { zip, city, country, defaultCountry }, { sample, isFree });
  for (const field of ['zip', 'city'] as const) set(field, place ?? first(field));
  // Without a country, the letters may be for Belgium: another state is left to decide on.
  const hasCountry = fields.country !== undefined || defaultCountry !== undefined;
  set(
    'state',
    all('state').find((index) => hasCountry || cells.all(index, belgianProvince)),
  );
  const isRunning = (index: number) =>
    index !== number &&
    cells.areDistinct(index) &&
    Math.abs(index - (street ?? Number.NaN)) !== 1 &&
    (number !== undefined || cells.areRunning(index) || (street !== undefined && cells.all(street, /\d/)));
  set('reference', first('reference') ?? all('shortNumber').find(isRunning));
  return {
    fields,
    variables: nameVariables(
      header,
      variables.filter((name) => fieldOf(name, { fields }) === undefined),
    ),
    ...((fields.line2?.length ?? 0) > 1 && { separators: { line2: ', ' } }),
    ...(defaultCountry && { defaultCountry }),
  };
}

function nameVariables(header: readonly string[], variables: readonly string[]): BulkMapping['variables'] {
  const folded = variables.length === 0 ? [] : header.map(foldColumnName);
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

type Numbers = {
  sureNumber: number | undefined;
  all: All;
  cells: Cells;
  isSilent: (index: number) => boolean;
  names: (number | undefined)[];
};

/** Finds the column of the house number: by its heading, or by its cells beside streets without a number. */
function findNumber(street: number, { sureNumber, all, cells, isSilent, names }: Numbers): number | undefined {
  if (sureNumber !== undefined) return cells.contain(street, sureNumber) ? undefined : sureNumber;
  const firstName = Math.min(...names.flatMap((index) => index ?? []));
  // Left of the name, or counting up, it is the number of the row.
  const canBe = (index: number) =>
    index > firstName && !cells.areRunning(index) && !cells.haveDigitsBeside(street, index);
  const isNumber = (index: number) => cells.all(index, shortNumber);
  const beside = [street + 1, street - 1].filter(canBe);
  return (
    beside.find((index) => all('shortNumber').includes(index)) ??
    beside.find((index) => isSilent(index) && isNumber(index))
  );
}

function startsWithNumber(country: number | undefined, cells: Cells, defaultCountry?: string): boolean {
  const written = country === undefined ? [] : cells.of(country).map((text) => toCountryCode(text) ?? '');
  const codes = written.length > 0 ? written : [defaultCountry ?? homeCountry];
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
    areCountries: (index: number) => half(index, (text) => text.length > 1 && toCountryCode(text) !== null),
    haveDigits: (index: number) => half(index, (text) => /\d/.test(text)),
    /** Whether a row with a cell in `beside` has digits in the column too. */
    haveDigitsBeside: (index: number, beside: number) =>
      sample.some((cells) => /\d/.test(cells[index] ?? '') && cleanCell(cells[beside]) !== ''),
    /** Whether each cell is the number behind that of the row above. */
    areRunning: (index: number) => {
      const found = of(index).map(Number);
      return found.length > 1 && found.every((each, at) => at === 0 || each === (found[at - 1] ?? 0) + 1);
    },
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

/** Returns the kind of each column. A street, postal code or city that is repeated is of another address. */
export function kindsOfColumns(header: readonly string[]): (ColumnKind | null)[] {
  const names = originalNames(header);
  return names.map((name, index) => {
    const kind = kindOfColumn(name);
    const isRepeated = kind !== null && kind.role !== 'shortNumber' && names.indexOf(name) < index;
    return isRepeated
      ? { ...kind, group: `${kind.group} ${names.slice(0, index).filter((each) => each === name).length}` }
      : kind;
  });
}

/** Returns a text with spaces for punctuation and around it. */
export function wordsOf(text = ''): string {
  return ` ${text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, ' ')} `.replaceAll(/ +/g, ' ');
}
