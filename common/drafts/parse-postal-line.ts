import { countryByPrefix } from '#common/fields/country-names.ts';

/** The postal code and city of a line, with the country if its form says it. */
export type PostalLine = { zip: string; city: string; country: string | null };

/** A form of the line. `country`: the only one that writes it so; null when several do. */
type Shape = { pattern: RegExp; country: string | null };

const britishCode = String.raw`(?<zip>[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2})`;

/** The first that fits decides. `zip` and `city` are named groups; a missing `city` is on a neighbouring line, as in Great Britain. */
const shapes: readonly Shape[] = [
  { pattern: /^(?<zip>\d{4} ?(?!S[ADS]\b)[A-Z]{2})\s+(?<city>\D.*)$/u, country: 'NL' },
  { pattern: /^(?<zip>\d{4}-\d{3})\s+(?<city>\D.*)$/u, country: 'PT' },
  { pattern: /^(?<zip>\d{2}-\d{3})\s+(?<city>\D.*)$/u, country: 'PL' },
  { pattern: /^(?<zip>\d{3} \d{2})\s+(?<city>\D.*)$/u, country: null },
  { pattern: /^(?<zip>\d{4,6})\s+(?<city>\D.*)$/u, country: null },
  { pattern: /^(?<city>\D+?),?\s+(?<state>[A-Z]{2})\s+(?<zip>\d{5}(?:-\d{4})?)$/u, country: 'US' },
  { pattern: /^(?<city>\D+?),?\s+(?<state>[A-Z]{2})\s+(?<zip>[A-Z]\d[A-Z] ?\d[A-Z]\d)$/u, country: 'CA' },
  { pattern: new RegExp(`^(?<city>\\D+?),?\\s+${britishCode}$`, 'u'), country: 'GB' },
  { pattern: new RegExp(`^${britishCode}$`, 'u'), country: 'GB' },
  { pattern: /^(?<city>\D+?),?\s+(?<zip>[A-Z]\d[\dW] ?[A-Z\d]{4})$/u, country: 'IE' },
  { pattern: /^(?<zip>\d{4,6})$/u, country: null },
];

const prefixPattern = /^(?<letters>[A-Z]{1,3})\s?[-–]\s?(?=\d)/u;

/**
 * Reads a line with a postal code, as it is written in the countries of Europe, the United States and Canada. Returns null
 * for another line. An empty `city` stands on the neighbouring line.
 */
export function parsePostalLine(line: string): PostalLine | null {
  const letters = prefixPattern.exec(line)?.groups?.letters;
  const prefixed = letters === undefined ? null : countryByPrefix(letters);
  const rest = prefixed === null ? line : line.replace(prefixPattern, '');
  for (const { pattern, country } of shapes) {
    const groups = pattern.exec(rest)?.groups;
    if (!groups) continue;
    const { zip = '', city = '', state } = groups;
    // The state is part of the last line, as the post of the country wants it.
    const place = state === undefined ? city : `${city.trim()} ${state}`;
    return { zip: zip.trim(), city: place.trim().replace(/,$/, ''), country: prefixed ?? country };
  }
  return null;
}
