import { z } from 'zod';
import { countryCodes, homeCountry, isBelgianZip, isCountryCode } from './countries.ts';

const controlCharacter = /\p{Cc}/u;
/** The same for documentation, in what all dialects of regular expressions know: no control character, not all blank. */
const linePattern = String.raw`^[^\x00-\x1f\x7f-\x9f]*[^\x00-\x20\x7f-\xa0][^\x00-\x1f\x7f-\x9f]*$`;

/** A line of text: trimmed, 1 to `maxLength` Unicode code points, without control characters or broken ones. */
export function lineOfText(maxLength: number) {
  return z
    .string()
    .trim()
    .min(1, 'Must not be empty.')
    .refine((text) => [...text].length <= maxLength, `Must have at most ${maxLength} characters.`)
    .refine((text) => !controlCharacter.test(text), 'Must not contain control characters.')
    .refine((text) => text.isWellFormed(), 'Must be well-formed Unicode.')
    .meta({ minLength: 1, maxLength, pattern: linePattern });
}

/** ISO 3166-1 alpha-2, upper case. */
export const CountryCode = z
  .string()
  .trim()
  .refine(isCountryCode, 'Give an ISO 3166-1 alpha-2 code in upper case, such as BE.')
  .meta({ id: 'CountryCode', enum: countryCodes, description: 'ISO 3166-1 alpha-2.' });

/** The limits of an address's lines, in code points; shared by recipients, senders and the address book. */
export const addressFields = {
  name: lineOfText(100),
  line1: lineOfText(100),
  line2: lineOfText(100).nullish(),
  zip: lineOfText(16),
  city: lineOfText(80),
  country: CountryCode,
};

/** The same lines in an answer. */
export const addressViewFields = {
  name: z.string(),
  line1: z.string(),
  line2: z.string().nullable(),
  zip: z.string(),
  city: z.string(),
  country: z.string(),
};

/** What `checkZip` asks, for documentation. */
export const zipRule = {
  // Other fields are not its business; linters that close every schema in their trials want to be told.
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema; nobody awaits it
  then: { properties: { zip: { pattern: '^[1-9][0-9]{3}$' } }, additionalProperties: true },
  if: { properties: { country: { const: homeCountry } }, required: ['country'] },
};

/** Reports a Belgian address whose postal code cannot exist. */
export function checkZip(address: { zip: string; country: string }): string | null {
  const isFine = address.country !== homeCountry || isBelgianZip(address.zip);
  return isFine ? null : 'A Belgian postal code has four digits, 1000 to 9999.';
}
