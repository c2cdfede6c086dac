import { z } from 'zod';
import { scopes } from '#common/access/scopes.ts';
import { type IdPrefix, isId } from '#common/ids.ts';
import { modes } from '#common/modes.ts';
import { option } from './command.ts';

/** Creates a schema of one of the words. */
export function oneOf<const Word extends string>(words: readonly Word[]) {
  const isWord = (text: string): text is Word => words.some((word) => word === text);
  return z.string().refine(isWord, { error: ({ input }) => `"${input}" is not one of ${words.join(', ')}.` });
}

/** Creates a schema of one or more of the words, separated by commas. */
export function someOf<const Word extends string>(words: readonly Word[]) {
  return z
    .string()
    .transform((text) => text.split(',').map((word) => word.trim()))
    .pipe(z.array(oneOf(words)));
}

/** Creates a schema of an id with this prefix. Checks its format only. */
export function idOf(prefix: IdPrefix) {
  return z.string().refine((text) => isId(prefix, text), {
    error: ({ input }) => `"${input}" is not an id of this kind (${prefix}_…).`,
  });
}

/** Creates a schema of an integer from `min` to `max` in decimal digits. */
export function wholeNumber(min: number, max: number) {
  return z
    .string()
    .refine((text) => /^-?\d+$/.test(text) && Number(text) >= min && Number(text) <= max, {
      error: ({ input }) => `"${input}" is not a whole number from ${min} to ${max}.`,
    })
    .transform(Number);
}

const org = option('--org <id>', 'the organization', idOf('org'));
const mode = option('--mode <mode>', 'test or live', oneOf(modes));

/** Inputs that several commands have. */
export const common = {
  org,
  mode,
  /** A wallet, or another thing that an organization has once per mode. */
  owner: { org, mode },
  scopes: (help: string) => option('--scopes <list>', help, someOf(scopes)),
};
