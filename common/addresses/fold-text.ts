/** Removes case and accents for search, so `liege` finds `Liège`. Queries and stored text are folded alike. */
export function foldText(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
}

/** Returns the text that `q` searches. Fields are on separate lines, so no match spans two of them. */
export function searchTextOf(fields: { name: string; city: string; zip: string; label: string | null }): string {
  const { name, city, zip, label } = fields;
  return [name, city, zip, label ?? ''].map(foldText).join('\n');
}
