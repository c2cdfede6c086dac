import { z } from 'zod';
import { countryCodes, homeCountry, isBelgianZip, isCountryCode } from '../countries.ts';

const controlCharacter = /\p{Cc}/u;
/**
 * The same rule for documentation, in syntax that all regular expression dialects support: no control character, not
 * blank.
 */
const linePattern = String.raw`^[^\x00-\x1f\x7f-\x9f]*[^\x00-\x20\x7f-\xa0][^\x00-\x1f\x7f-\x9f]*$`;

/** A line of text: trimmed, 1 to `maxLength` Unicode code points, well-formed, without control characters. */
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

/** The limits of address lines, in code points. Shared by recipients, senders and the address book. */
export const addressFields = {
  name: lineOfText(100),
  line1: lineOfText(100),
  line2: lineOfText(100).nullish(),
  zip: lineOfText(16),
  city: lineOfText(80),
  country: CountryCode,
};

/** The same fields in a response. */
export const addressViewFields = {
  name: z.string(),
  line1: z.string(),
  line2: z.string().nullable(),
  zip: z.string(),
  city: z.string(),
  country: z.string(),
};

/** The rule of `checkZip` as JSON Schema, for documentation. */
export const zipRule = {
  // Contract tools that close every schema need `additionalProperties` stated.
  // biome-ignore lint/suspicious/noThenProperty: a JSON Schema keyword, never awaited
  then: { properties: { zip: { pattern: '^[1-9][0-9]{3}$' } }, additionalProperties: true },
  if: { properties: { country: { const: homeCountry } }, required: ['country'] },
};

/** Returns a message if a Belgian address has an impossible postal code, else null. */
export function checkZip(address: { zip: string; country: string }): string | null {
  const isValid = address.country !== homeCountry || isBelgianZip(address.zip);
  return isValid ? null : 'A Belgian postal code has four digits, 1000 to 9999.';
}
