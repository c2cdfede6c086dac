import { z } from 'zod';
import { isBelgianZip, isCountryCode } from './countries.ts';

const controlCharacter = /\p{Cc}/u;

/** A line of text: trimmed, 1 to `maxLength` Unicode code points, without control characters or broken ones. */
export function lineOfText(maxLength: number) {
  return z
    .string()
    .trim()
    .min(1, 'Must not be empty.')
    .refine((text) => [...text].length <= maxLength, `Must have at most ${maxLength} characters.`)
    .refine((text) => !controlCharacter.test(text), 'Must not contain control characters.')
    .refine((text) => text.isWellFormed(), 'Must be well-formed Unicode.')
    .meta({ minLength: 1, maxLength });
}

/** ISO 3166-1 alpha-2, upper case. */
export const CountryCode = z
  .string()
  .trim()
  .refine(isCountryCode, 'Give an ISO 3166-1 alpha-2 code in upper case, such as BE.')
  .meta({ minLength: 2, maxLength: 2, pattern: '^[A-Z]{2}$' });

/** The limits of an address's lines, in code points; shared by recipients, senders and the address book. */
export const addressFields = {
  name: lineOfText(100),
  line1: lineOfText(100),
  line2: lineOfText(100).nullish(),
  zip: lineOfText(16),
  city: lineOfText(80),
  country: CountryCode,
};

/** Reports a Belgian address whose postal code cannot exist. */
export function checkZip(address: { zip: string; country: string }): string | null {
  const isFine = address.country !== 'BE' || isBelgianZip(address.zip);
  return isFine ? null : 'A Belgian postal code has four digits, 1000 to 9999.';
}
