/** What a column of a bulk file can be. `file` names a document of a ZIP. */
export const bulkFields = ['name', 'line1', 'line2', 'zip', 'city', 'country', 'reference', 'file'] as const;
export type BulkField = (typeof bulkFields)[number];

/** Most columns that are joined to one field, such as first and last name. */
export const maxJoinedColumns = 3;

/** The columns of each field by index from 0, joined with spaces, and those of the variables of a template. */
export type BulkMapping = {
  fields: Partial<Record<BulkField, number[]>>;
  variables: { name: string; column: number }[];
};
