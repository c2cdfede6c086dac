import { isForeignCode } from '../file/postal-code-text.ts';
import type { TableFormat } from '../file/read-table.ts';
import type { BulkRecord } from '../model/bulk.model.ts';
import { type BulkField, type BulkMapping, bulkFields, fieldOf } from '../model/bulk-fields.ts';
import { foldColumnName } from './column-words.ts';
import { guessMapping, type Sample } from './guess-mapping.ts';
import { cleanCell } from './read-cell.ts';
import { isPhone } from './watch-columns.ts';

export type PlannedMapping = {
  mapping: BulkMapping;
  /** Fields and variables (`variables.name`) that every letter needs and that have no column. */
  missing: string[];
  /** Columns that are not needed, by index. */
  ignored: number[];
};

type Planned = Pick<BulkRecord, 'wantedMapping' | 'ignoredColumns' | 'template' | 'zone' | 'templateVariables'>;

/** Returns the columns of each field: as the owner asked for, or all of them as guessed. */
export function planMapping(
  { wantedMapping, ignoredColumns = [], template, zone, templateVariables = [] }: Planned,
  { kind }: TableFormat,
  header: readonly string[],
  sample: Sample,
): PlannedMapping {
  const indexesOf = (names: readonly string[]) =>
    names.map((name) => header.indexOf(name)).filter((column) => column >= 0);
  const ignored = indexesOf(ignoredColumns);
  const { defaultCountry } = wantedMapping ?? {};
  const guessed = guessMapping(header, templateVariables, { sample, ignored, defaultCountry });
  const mapping = wantedMapping ? asWanted(wantedMapping, { guessed, indexesOf, templateVariables }) : guessed;
  const { fields, variables } = mapping;
  const needed: BulkField[] = ['name', 'line1', 'zip', 'city'];
  // A letter abroad needs a country. Without a zone, a row without one is for Belgium, unless the list looks foreign.
  const isOpen = fields.country === undefined && defaultCountry === undefined;
  const needsCountry = isOpen && (zone === 'INTERNATIONAL' || (zone === null && looksForeign(header, fields, sample)));
  if (needsCountry) needed.push('country');
  if (kind === 'zip' && !template) needed.push('file');
  const isThere = (field: BulkField) => fields[field] ?? (field === 'name' ? fields.company : undefined);
  const isWhole = (field: BulkField) => (wantedMapping?.fields[field] ?? []).every((name) => header.includes(name));
  const missing = bulkFields.filter(
    (field) => !isWhole(field) || (needed.includes(field) && isThere(field) === undefined),
  );
  const isUnmapped = (name: string) => variables.every((each) => each.name !== name) && !fieldOf(name, mapping);
  const unmapped = templateVariables.filter(isUnmapped);
  return { mapping, missing: [...missing, ...unmapped.map((name) => `variables.${name}`)], ignored };
}

const telephones = /phone|^tel|telef|gsm|mobil|fax|handy/;
const abroad = /^(?:\+|00)[ (]*(?!0|32)\d/;

/**
 * Returns whether most postal codes, or two thirds of the rows with a telephone number, are of another country than
 * Belgium. A column is of telephone numbers by its heading, or if most begin with a plus: that of a client may with 00.
 */
function looksForeign(header: readonly string[], { zip: [zip = -1] = [] }: BulkMapping['fields'], sample: Sample) {
  const rows = sample.map((cells) => cells.map(cleanCell));
  const codes = rows.flatMap((cells) => cells[zip] || []);
  const areMost = (texts: string[], test: (text: string) => boolean) => texts.filter(test).length * 2 > texts.length;
  const isTelephones = (name: string, at: number) =>
    telephones.test(foldColumnName(name.slice(0, 200))) ||
    areMost(rows.map((cells) => cells[at] ?? '').filter(isPhone), (text) => text.startsWith('+'));
  const columns = header.flatMap((name, at) => (isTelephones(name, at) ? [at] : []));
  const phones = rows
    .map((cells) => columns.map((at) => cells[at] ?? '').filter(isPhone))
    .filter((found) => found.length > 0);
  const foreign = phones.filter((found) => found.every((text) => abroad.test(text)));
  return areMost(codes, isForeignCode) || foreign.length * 3 > phones.length * 2;
}

type Named = {
  guessed: BulkMapping;
  indexesOf: (names: readonly string[]) => number[];
  templateVariables: readonly string[];
};

/** Fields replace all guessed ones, and variables those of the same names. */
function asWanted(
  wanted: NonNullable<BulkRecord['wantedMapping']>,
  { guessed, indexesOf, templateVariables }: Named,
): BulkMapping {
  const fields: BulkMapping['fields'] = {};
  for (const field of bulkFields) {
    const columns = indexesOf(wanted.fields[field] ?? []);
    if (columns.length > 0) fields[field] = columns;
  }
  const asked = wanted.variables ?? {};
  const { separators, defaultCountry } = wanted;
  const variables = templateVariables.flatMap((name) => {
    if (!Object.hasOwn(asked, name)) return guessed.variables.filter((each) => each.name === name);
    return indexesOf([asked[name] ?? '']).map((column) => ({ name, column }));
  });
  if (Object.keys(wanted.fields).length === 0) return { ...guessed, variables };
  return { fields, variables, ...(separators && { separators }), ...(defaultCountry && { defaultCountry }) };
}

/** Returns how many fields of a letter the cells name, if they are a heading. */
export function countFields(cells: readonly string[]): number {
  return Object.values(guessMapping(cells, []).fields).flat().length;
}
