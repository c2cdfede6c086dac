import { foldForSearch } from '../fields/fold-text.ts';

/** Returns the text that `q` searches. Fields are on separate lines, so no match spans two of them. */
export function searchTextOf(fields: { name: string; city: string; zip: string; label: string | null }): string {
  const { name, city, zip, label } = fields;
  return [name, city, zip, label ?? ''].map(foldForSearch).join('\n');
}
