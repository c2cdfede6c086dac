import { z } from 'zod';
import { passwordLength } from '../../common/organizations/password.ts';
import { lineOfText } from '../../common/text.schema.ts';
import type { Texts } from './texts/en.ts';

/** A word for what can be wrong with a field; each language has a sentence for it. */
export type FormError = keyof Texts['form']['errors'];

const say = (word: FormError) => word;

/** A line of text that must be there. */
export function requiredLine(maxLength: number) {
  return z
    .string({ error: say('required') })
    .trim()
    .min(1, say('required'))
    .refine((text) => [...text].length <= maxLength, say('tooLong'))
    .refine((text) => text === '' || lineOfText(maxLength).safeParse(text).success, say('invalid'));
}

/** A line of text or, when the field is blank, null. */
export function optionalLine(maxLength: number) {
  return z
    .string({ error: say('invalid') })
    .trim()
    .refine((text) => [...text].length <= maxLength, say('tooLong'))
    .refine((text) => text === '' || lineOfText(maxLength).safeParse(text).success, say('invalid'))
    .transform((text) => (text === '' ? null : text))
    .nullish()
    .transform((text) => text ?? null);
}

/** Lines of text, one a row; blank ones do not count. */
export const requiredLines = z
  .string({ error: say('required') })
  .max(50_000, say('tooLong'))
  .transform((text) =>
    text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== ''),
  )
  .refine((lines) => lines.length > 0, say('required'));

/** A whole number from `min` to `max`, written in digits. */
export function wholeNumber(min: number, max: number) {
  return z
    .string({ error: say('required') })
    .trim()
    .min(1, say('required'))
    .refine((text) => text === '' || /^-?\d{1,15}$/.test(text), say('invalid'))
    .transform(Number)
    .refine((value) => Number.isNaN(value) || (value >= min && value <= max), say('numberOutOfRange'));
}

/** One of a list: radio buttons, or a `select`. */
export function choice<const T extends readonly [string, ...string[]]>(values: T) {
  return z.enum(values, { error: say('choose') });
}

/** Some of a list, at least one: checkboxes of one name. */
export function choices<const T extends readonly [string, ...string[]]>(values: T) {
  const asList = (value: unknown) => (value === undefined ? [] : Array.isArray(value) ? value : [value]);
  return z.preprocess(asList, z.array(z.enum(values, { error: say('choose') })).min(1, say('chooseOne')));
}

/**
 * A checkbox on its own.
 * @public
 */
export const checkbox = z.preprocess((value) => value !== undefined, z.boolean());

/** An amount of euros as people write it, `25`, `25.5` or `25,50`, as cents; blank is null. */
export function euros({ maxCents }: { maxCents: number }) {
  return z
    .string({ error: say('required') })
    .trim()
    .refine((text) => text === '' || /^\d{1,9}([.,]\d{1,2})?$/.test(text), say('amount'))
    .transform((text) => (text === '' ? null : toCents(text)))
    .refine((cents) => cents === null || (cents >= 1 && cents <= maxCents), say('amountOutOfRange'));
}

function toCents(text: string): number {
  const [whole = '', part = ''] = text.split(/[.,]/);
  return Number(whole) * 100 + Number(part.padEnd(2, '0'));
}

/** An e-mail address that somebody signs in with: whether there is such an account is not for the schema to say. */
export const emailField = z
  .string({ error: say('required') })
  .trim()
  .min(1, say('required'))
  .max(320, say('tooLong'));

/** A password that is to be tried. */
export const presentPassword = z
  .string({ error: say('required') })
  .min(1, say('required'))
  .max(passwordLength.max, say('wrongPassword'));

/** A password that is to be set. */
export const newPassword = z
  .string({ error: say('required') })
  .min(1, say('required'))
  .min(passwordLength.min, say('passwordTooShort'))
  .max(passwordLength.max, say('passwordTooLong'));
