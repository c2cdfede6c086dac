import { z } from 'zod';
import type { Texts } from '#api/web/texts/texts.ts';
import { findUnprintable, lineOfText, withoutHarmless } from '#common/fields/text.schema.ts';
import { passwordLength } from '#common/organizations/password.ts';

/** A key of the error texts, which exist in each language. */
export type FormError = keyof Texts['form']['errors'];

/** Checks at compile time that the key exists. */
const errorKey = (key: FormError) => key;

/** A required line of text. */
export function requiredLine(maxLength: number) {
  return z
    .string({ error: errorKey('required') })
    .trim()
    .min(1, errorKey('required'))
    .refine((text) => [...text].length <= maxLength, errorKey('tooLong'))
    .refine((text) => text === '' || lineOfText(maxLength).safeParse(text).success, errorKey('invalid'));
}

/** An optional line of text. Blank becomes null. */
export function optionalLine(maxLength: number) {
  return z
    .string({ error: errorKey('invalid') })
    .trim()
    .refine((text) => [...text].length <= maxLength, errorKey('tooLong'))
    .refine((text) => text === '' || lineOfText(maxLength).safeParse(text).success, errorKey('invalid'))
    .transform((text) => (text === '' ? null : text))
    .nullish()
    .transform((text) => text ?? null);
}

/** A required line that is printed. */
export function requiredPrintedLine(maxLength: number) {
  return requiredLine(maxLength)
    .overwrite(withoutHarmless)
    .refine((text) => findUnprintable(text) === null, errorKey('invalid'))
    .min(1, errorKey('required'));
}

/** An optional line that is printed. Blank becomes null. */
export function optionalPrintedLine(maxLength: number) {
  return optionalLine(maxLength)
    .transform((text) => withoutHarmless(text ?? '') || null)
    .refine((text) => text === null || findUnprintable(text) === null, errorKey('invalid'));
}

/** Required lines of text. Blank lines are ignored. */
export const requiredLines = z
  .string({ error: errorKey('required') })
  .max(50_000, errorKey('tooLong'))
  .transform((text) =>
    text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== ''),
  )
  .refine((lines) => lines.length > 0, errorKey('required'));

/** A required integer from `min` to `max`, in decimal digits. */
export function wholeNumber(min: number, max: number) {
  return z
    .string({ error: errorKey('required') })
    .trim()
    .min(1, errorKey('required'))
    .refine((text) => text === '' || /^-?\d{1,15}$/.test(text), errorKey('invalid'))
    .transform(Number)
    .refine((value) => Number.isNaN(value) || (value >= min && value <= max), errorKey('numberOutOfRange'));
}

/** An optional integer. Blank or absent becomes null. */
export function optionalWholeNumber(min: number, max: number) {
  const isBlank = (value: unknown) => value === undefined || (typeof value === 'string' && value.trim() === '');
  return z.preprocess((value) => (isBlank(value) ? null : value), wholeNumber(min, max).nullable());
}

/** One value of a list: radio buttons or a `select`. */
export function choice<const T extends readonly [string, ...string[]]>(values: T) {
  return z.enum(values, { error: errorKey('choose') });
}

/** At least one value of a list: checkboxes with the same name. */
export function choices<const T extends readonly [string, ...string[]]>(values: T) {
  const asList = (value: unknown) => (value === undefined ? [] : Array.isArray(value) ? value : [value]);
  return z.preprocess(asList, z.array(z.enum(values, { error: errorKey('choose') })).min(1, errorKey('chooseOne')));
}

/**
 * A single checkbox.
 * @public
 */
export const checkbox = z.preprocess((value) => value !== undefined, z.boolean());

/** An amount in euros, such as `25`, `25.5` or `25,50`, converted to cents. Blank becomes null. */
export function euros({ maxCents }: { maxCents: number }) {
  return z
    .string({ error: errorKey('required') })
    .trim()
    .refine((text) => text === '' || /^\d{1,9}([.,]\d{1,2})?$/.test(text), errorKey('amount'))
    .transform((text) => (text === '' ? null : toCents(text)))
    .refine((cents) => cents === null || (cents >= 1 && cents <= maxCents), errorKey('amountOutOfRange'));
}

function toCents(text: string): number {
  const [whole = '', part = ''] = text.split(/[.,]/);
  return Number(whole) * 100 + Number(part.padEnd(2, '0'));
}

/** An email address to sign in with. The schema does not reveal whether the account exists. */
export const emailField = z
  .string({ error: errorKey('required') })
  .trim()
  .min(1, errorKey('required'))
  .max(320, errorKey('tooLong'));

/** A password to verify. */
export const presentPassword = z
  .string({ error: errorKey('required') })
  .min(1, errorKey('required'))
  .max(passwordLength.max, errorKey('wrongPassword'));

/** A password to set. */
export const newPassword = z
  .string({ error: errorKey('required') })
  .min(1, errorKey('required'))
  .min(passwordLength.min, errorKey('passwordTooShort'))
  .max(passwordLength.max, errorKey('passwordTooLong'));
