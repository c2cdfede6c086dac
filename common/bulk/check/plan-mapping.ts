import type { TableFormat } from '../file/read-table.ts';
import type { BulkRecord } from '../model/bulk.model.ts';
import { type BulkField, type BulkMapping, bulkFields, fieldOf } from '../model/bulk-fields.ts';
import { guessMapping, type Sample } from './guess-mapping.ts';

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
  const guessed = guessMapping(header, templateVariables, { sample, ignored });
  const mapping = wantedMapping ? asWanted(wantedMapping, { guessed, indexesOf, templateVariables }) : guessed;
  // A letter abroad needs a country. Without a zone, a row without one is for Belgium.
  const needed: BulkField[] = ['name', 'line1', 'zip', 'city'];
  if (zone === 'INTERNATIONAL') needed.push('country');
  if (kind === 'zip' && !template) needed.push('file');
  const { fields, variables } = mapping;
  const isThere = (field: BulkField) => fields[field] ?? (field === 'name' ? fields.company : undefined);
  const isWhole = (field: BulkField) => (wantedMapping?.fields[field] ?? []).every((name) => header.includes(name));
  const missing = bulkFields.filter(
    (field) => !isWhole(field) || (needed.includes(field) && isThere(field) === undefined),
  );
  const isUnmapped = (name: string) => variables.every((each) => each.name !== name) && !fieldOf(name, mapping);
  const unmapped = templateVariables.filter(isUnmapped);
  return { mapping, missing: [...missing, ...unmapped.map((name) => `variables.${name}`)], ignored };
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
  const variables = templateVariables.flatMap((name) => {
    if (!Object.hasOwn(asked, name)) return guessed.variables.filter((each) => each.name === name);
    return indexesOf([asked[name] ?? '']).map((column) => ({ name, column }));
  });
  if (Object.keys(wanted.fields).length === 0) return { ...guessed, variables };
  return { fields, variables, ...(wanted.separators && { separators: wanted.separators }) };
}

/** Returns how many fields of a letter the cells name, if they are a heading. */
export function countFields(cells: readonly string[]): number {
  return Object.values(guessMapping(cells, []).fields).flat().length;
}
