import type { TableFormat } from '../file/read-table.ts';
import type { BulkRecord } from '../model/bulk.model.ts';
import { type BulkField, type BulkMapping, bulkFields } from '../model/bulk-fields.ts';
import { guessMapping } from './guess-mapping.ts';

export type PlannedMapping = {
  mapping: BulkMapping;
  /** Fields and variables (`variables.name`) that every letter needs and that have no column. */
  missing: string[];
};

/** Returns the columns of each field: as the owner asked for, else as guessed. */
export function planMapping(
  {
    wantedMapping,
    template,
    zone,
    templateVariables = [],
  }: Pick<BulkRecord, 'wantedMapping' | 'template' | 'zone' | 'templateVariables'>,
  { kind }: TableFormat,
  header: readonly string[],
): PlannedMapping {
  const guessed = guessMapping(header, templateVariables);
  const wanted = wantedMapping ?? { fields: {}, variables: {} };
  const indexOf = (name: string) => header.indexOf(name);
  const fields: BulkMapping['fields'] = {};
  for (const field of bulkFields) {
    const names = wanted.fields[field];
    const columns = names ? names.map(indexOf).filter((column) => column >= 0) : guessed.fields[field];
    if (columns && columns.length > 0) fields[field] = columns;
  }
  const variables = templateVariables.flatMap((name) => {
    const asked = Object.hasOwn(wanted.variables, name) ? wanted.variables[name] : undefined;
    const column = asked === undefined ? guessed.variables.find((each) => each.name === name)?.column : indexOf(asked);
    return column === undefined || column < 0 ? [] : [{ name, column }];
  });
  // A letter abroad needs a country. Without a zone, a row without one is for Belgium.
  const needed: BulkField[] = ['name', 'line1', 'zip', 'city'];
  if (zone === 'INTERNATIONAL') needed.push('country');
  if (kind === 'zip' && !template) needed.push('file');
  const missing = needed.filter((field) => fields[field] === undefined);
  const unmapped = templateVariables.filter((name) => variables.every((each) => each.name !== name));
  return { mapping: { fields, variables }, missing: [...missing, ...unmapped.map((name) => `variables.${name}`)] };
}

/** Returns how many fields of a letter the cells name, if they are a heading. */
export function countFields(cells: readonly string[]): number {
  return Object.values(guessMapping(cells, []).fields).flat().length;
}
