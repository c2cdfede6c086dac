import type { TableSeparator } from './detect-separator.ts';
import type { TableEncoding } from './encoding/table-encodings.ts';

/** `zip`: documents with an index. */
export const tableKinds = ['csv', 'xlsx', 'zip'] as const;

/** What becomes of the hidden rows of a sheet. */
export const hiddenRowChoices = ['send', 'skip'] as const;

/** How a file is to be read; what is absent is recognized. `headerRow`: from 1, and 0 for a list without a heading. */
export type Reading = {
  encoding?: TableEncoding;
  separator?: TableSeparator;
  sheet?: string;
  headerRow?: number;
  hiddenRows?: (typeof hiddenRowChoices)[number];
  repairText?: boolean;
};
