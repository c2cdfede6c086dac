import { z } from 'zod';
import { countryCodes, homeCountry, isBelgianZip, isCountryCode, plainZip } from '../countries.ts';

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

/** Characters without a width. Text that was copied from a page or a document has them, and they are never printed. */
const zeroWidth = /[\u200b-\u200f\u2060\ufeff]/gu;
/** Has no width unless a word breaks there. */
const softHyphen = '\u00ad';
/** Programs write it where they lost a character in a conversion. */
const replacement = '\ufffd';
/** Others that are never shown or turn the order of letters round, separators of lines, and U+FFFD for what got lost. */
const unprintable = /(?!\u00ad)[\p{Cf}\u2028\u2029\ufffd]/u;

/** As `lineOfText`, for a line that is printed: without characters of no width, refused with others that are invisible. */
export function printedLine(maxLength: number) {
  return lineOfText(maxLength)
    .overwrite(withoutHarmless)
    .check(({ value, issues }) => {
      if (value === '' && issues.length === 0)
        issues.push({ code: 'custom', input: value, message: 'Must not be empty.' });
      const problem = findUnprintable(value);
      if (problem) issues.push({ code: 'custom', input: value, message: problem });
    })
    .meta({ minLength: 1, maxLength, pattern: linePattern });
}

/** Returns the text without the characters that printed lines do not keep. */
export function withoutHarmless(text: string): string {
  return withoutZeroWidth(text).replaceAll(softHyphen, '').trim();
}

/** The same for the text of a letter, in which soft hyphens tell where a word may break. */
export function withoutZeroWidth(text: string): string {
  return text.replaceAll(zeroWidth, '');
}

/** What is wrong with a character that is not printed, in English. Pages translate the codes. */
export const characterFaults = {
  invisible: (place: string) => `Character ${place} cannot be printed. Take it out.`,
  garbled: (place: string) => `A character was lost at position ${place}. Write it again.`,
} as const;

/** `place`: the position from 1 and the code point, as `3 (U+202E)`. */
type CharacterFault = { code: keyof typeof characterFaults; place: string };

/** Returns a message about the first character of a line that cannot be printed; null when there is none. */
export function findUnprintable(text: string): string | null {
  const fault = findCharacterFault(text);
  return fault && characterFaults[fault.code](fault.place);
}

/** Returns what is wrong with the first such character; null when there is none. */
export function findCharacterFault(text: string): CharacterFault | null {
  const characters = [...text];
  const index = characters.findIndex((character) => unprintable.test(character));
  if (index < 0) return null;
  const codePoint = characters[index]?.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0');
  const code = characters[index] === replacement ? 'garbled' : 'invisible';
  return { code, place: `${index + 1} (U+${codePoint})` };
}

/** ISO 3166-1 alpha-2, upper case; and XK. */
export const CountryCode = z
  .string()
  .trim()
  .refine(isCountryCode, 'Give an ISO 3166-1 alpha-2 code in upper case, such as BE.')
  .meta({ id: 'CountryCode', enum: countryCodes, description: 'ISO 3166-1 alpha-2, or XK for Kosovo.' });

/** The limits of address lines, in code points. Shared by recipients, senders and the address book. */
export const addressFields = {
  name: printedLine(100),
  line1: printedLine(100),
  line2: printedLine(100).nullish(),
  zip: printedLine(16).overwrite(plainZip),
  city: printedLine(80),
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
  then: { properties: { zip: { pattern: '^([Bb][Ee]?[ -]*)?[1-9][0-9]{3}$' } }, additionalProperties: true },
  if: { properties: { country: { const: homeCountry } }, required: ['country'] },
};

/** Returns a message if a Belgian address has an impossible postal code, else null. */
export function checkZip(address: { zip: string; country: string }): string | null {
  const isValid = address.country !== homeCountry || isBelgianZip(address.zip);
  return isValid ? null : 'A Belgian postal code has four digits, 1000 to 9999.';
}

const Place = z.object({ zip: addressFields.zip, country: addressFields.country });

/** Returns the postal code and country of an address; undefined if one of them is faulty, which is told already. */
export function readPlace(address: unknown) {
  return Place.safeParse(address).data;
}

/** Refuses an impossible Belgian postal code, also beside faults of other fields. */
export const possibleZip = z.superRefine<unknown>(
  (address, context) => {
    const place = readPlace(address);
    const message = place ? checkZip(place) : null;
    if (message) context.addIssue({ code: 'custom', path: ['zip'], message });
  },
  { when: () => true },
);
