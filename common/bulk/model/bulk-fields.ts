import { type RecipientVariable, recipientVariableOf } from '#common/templates/recipient-values.ts';

/**
 * What a column of a bulk file can be. `company` is printed before the name, `box` behind the street and `state` behind the
 * city. `file` names a document of a ZIP.
 */
export const bulkFields = [
  ...(['name', 'company', 'line1', 'box', 'line2', 'zip', 'city', 'state', 'country'] as const),
  ...(['reference', 'file'] as const),
] as const;
export type BulkField = (typeof bulkFields)[number];

/** Most columns that are joined to one field, such as title, first name, infix and last name. */
export const maxJoinedColumns = 6;
/** What can stand between joined columns. */
export const fieldSeparators = [' ', ', ', '', '-', ' - ', '/', ' / '] as const;
export type FieldSeparator = (typeof fieldSeparators)[number];

/** The columns of each field by index from 0, and those of the variables of a template. */
export type BulkMapping = {
  fields: Partial<Record<BulkField, number[]>>;
  variables: { name: string; column: number }[];
  /** What is between the columns of a field, if not a space. */
  separators?: Partial<Record<BulkField, FieldSeparator>>;
  /** The country of rows without one, as the owner chose. Absent: Belgium, with a warning. */
  defaultCountry?: string;
};

/** Returns whether one column has postal code and city, which are split in each row. */
export function hasJoinedPlace({ fields: { zip = [], city = [] } }: Pick<BulkMapping, 'fields'>): boolean {
  return zip.length === 1 && city.length === 1 && zip[0] === city[0];
}

/** The field that each variable of the recipient has its value of. */
const fieldOfVariable = {
  ...{ name: 'name', company: 'company', street: 'line1', zip: 'zip', city: 'city', country: 'country' },
} as const satisfies Record<RecipientVariable, BulkField>;

/** Returns the field that gives a variable its value when the list has no column for it; undefined without one. */
export function fieldOf(variable: string, { fields }: Pick<BulkMapping, 'fields'>): BulkField | undefined {
  const known = recipientVariableOf(variable);
  if (known === undefined) return undefined;
  const field = fieldOfVariable[known];
  // A letter to a company needs no name, and a row without a country is for Belgium.
  const isThere = fields[field] ?? (field === 'name' ? fields.company : undefined);
  return isThere !== undefined || field === 'country' ? field : undefined;
}

/** Returns the column where a fault of a field is shown. A letter to a company needs no name. */
export function columnOfField({ fields }: BulkMapping, field: BulkField): number | null {
  return fields[field]?.[0] ?? (field === 'name' ? fields.company?.[0] : undefined) ?? null;
}
