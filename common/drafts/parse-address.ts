import { countryByName } from '#common/fields/country-names.ts';
import { homeCountry, isBelgianZip } from '../countries.ts';
import { type PostalLine, parsePostalLine } from './parse-postal-line.ts';

/** An address as far as it was understood. Unknown parts are empty. */
export type ParsedAddress = {
  /** What was pasted. */
  text: string;
  name: string;
  line1: string;
  line2: string | null;
  zip: string;
  city: string;
  country: string | null;
};

/** Most addresses of one paste. The rest is left out. */
export const maxParsed = 20;

/** Words before an address on a letterhead or in a mail. */
const label =
  /^(?:to|aan|t\.a\.v\.|à|a l'attention de|an|adresse|address|adres|destinataire|empfänger|recipient)\s*:\s*/iu;

/**
 * Reads postal addresses as people copy them: one line each for the name, the street, the postal code with the city and
 * perhaps the country, or all of it on one line with commas. A blank line separates addresses. Guesses nothing that the
 * text does not say, except that an address with four digits and no country is Belgian.
 */
export function parseAddresses(text: string): ParsedAddress[] {
  const blocks = text
    .replaceAll(/\r\n?/g, '\n')
    .split(/\n[\t ]*\n/)
    .map((block) => block.trim())
    .filter((block) => block !== '');
  return blocks.slice(0, maxParsed).map(parseBlock);
}

function parseBlock(text: string): ParsedAddress {
  const given = text
    .split('\n')
    .map((line) => tidy(line.replace(label, '')))
    .filter((line) => line !== '');
  const lines = given.length === 1 ? splitLine(given[0] ?? '') : given;
  const { country, rest } = takeCountry(lines);
  const { postal, before } = takePostal(rest);
  const [name = '', ...others] = before;
  // In their order: the post reads an address from its last line.
  const line2 = others.length > 1 ? (others.at(-1) ?? null) : null;
  const line1 = line2 === null ? (others[0] ?? '') : others.slice(0, -1).join(', ');
  return { text, name, line1, line2, zip: postal.zip, city: postal.city, country: country ?? guessCountry(postal) };
}

const tidy = (line: string) =>
  line
    .replaceAll(/\p{Cc}+/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replace(/[,;]$/, '')
    .trim();

const splitLine = (line: string) =>
  line
    .split(/\s*[,;|]\s*|\s+[-–]\s+/)
    .map(tidy)
    .filter((part) => part !== '');

/** The country is the last line, or the last word after a comma on it. */
function takeCountry(lines: readonly string[]): { country: string | null; rest: readonly string[] } {
  const last = lines.at(-1) ?? '';
  const country = lines.length > 1 ? countryByName(last) : null;
  if (country !== null) return { country, rest: lines.slice(0, -1) };
  const [, head = '', tail = ''] = /^(.*?)\s*[,(]\s*([^,()]+)\)?$/u.exec(last) ?? [];
  const named = tail === '' ? null : countryByName(tail);
  if (named !== null) return { country: named, rest: [...lines.slice(0, -1), head] };
  return { country: null, rest: lines };
}

const nothing: PostalLine = { zip: '', city: '', country: null };

/** Finds the line with the postal code, from the end. Lines after it are part of the city. */
function takePostal(lines: readonly string[]): { postal: PostalLine; before: readonly string[] } {
  for (let index = lines.length - 1; index > 0; index -= 1) {
    const line = lines[index] ?? '';
    const found = parsePostalLine(line);
    if (found) return withCity(found, lines, index);
    // The street and the city on one line.
    const parts = splitLine(line);
    const inside = parts.length > 1 ? parsePostalLine(parts.slice(1).join(' ')) : null;
    if (inside && inside.city !== '') return { postal: inside, before: [...lines.slice(0, index), parts[0] ?? ''] };
  }
  return { postal: nothing, before: lines };
}

function withCity(found: PostalLine, lines: readonly string[], index: number) {
  if (found.city !== '') return { postal: found, before: lines.slice(0, index) };
  const below = lines[index + 1];
  if (below !== undefined) return { postal: { ...found, city: below }, before: lines.slice(0, index) };
  const above = lines[index - 1] ?? '';
  // The name and the street stay.
  if (index < 2) return { postal: found, before: lines.slice(0, index) };
  return { postal: { ...found, city: above }, before: lines.slice(0, index - 1) };
}

function guessCountry({ zip, country }: PostalLine): string | null {
  return country ?? (isBelgianZip(zip) ? homeCountry : null);
}
