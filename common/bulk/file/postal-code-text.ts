/** Postal codes with letters or more than four digits, or with the letters of a country, as in `L-1234`. */
const shapes = [
  // Netherlands, Britain, Canada, Ireland.
  '\\d{4} ?[A-Z]{2}|[A-Z]{1,2}\\d[A-Z\\d]? \\d[A-Z]{2}|[A-Z]\\d[A-Z] ?\\d[A-Z]\\d|[A-Z]\\d{2} [A-Z\\d]{4}',
  // Those of five digits, Poland, Sweden and Czechia, Portugal.
  '(?:[A-Z]{1,3}[- ])?\\d{5}(?:-\\d{4})?|\\d{2}-\\d{3}|\\d{3} \\d{2}|\\d{4}-\\d{3}|(?!BE?-)[A-Z]{1,3}-\\d{4}',
].join('|');
const foreign = new RegExp(`^(?:${shapes})$`);
/** With its city, before or behind. A year stands at either end, too. */
const withCity = new RegExp(`^(?:${shapes}|\\d{4}),? \\p{Lu}|\\p{L}\\P{L}+(?:${shapes})$`, 'u');

/** Returns whether a text is a postal code of another country than Belgium, as far as its shape tells. */
export function isForeignCode(text: string): boolean {
  return foreign.test(text);
}

/** Returns whether a text is a postal code with letters or five digits, or any code and its city. */
export function hasPostalCode(text: string): boolean {
  return foreign.test(text) || withCity.test(text);
}
