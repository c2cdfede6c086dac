/** Text for searching: without case and accents, so that `liege` finds `Liège`. Both sides are folded the same way. */
export function foldText(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
}

/** What `q` is looked for in; the fields are kept apart, so that a search does not match across two of them. */
export function searchTextOf(fields: { name: string; city: string; zip: string; label: string | null }): string {
  const { name, city, zip, label } = fields;
  return [name, city, zip, label ?? ''].map(foldText).join('\n');
}
