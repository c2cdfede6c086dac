import { z } from 'zod';
import { scopes } from '../../common/access/scopes.ts';
import { type IdPrefix, isId } from '../../common/ids.ts';
import { modes } from '../../common/modes.ts';

/** One word of a list. */
export function oneOf<const Word extends string>(words: readonly Word[]) {
  const isWord = (text: string): text is Word => words.some((word) => word === text);
  return z.string().refine(isWord, { error: ({ input }) => `"${input}" is none of ${words.join(', ')}.` });
}

/** One or more words of a list, separated by commas. */
function someOf<const Word extends string>(words: readonly Word[]) {
  return z
    .string()
    .transform((text) => text.split(',').map((word) => word.trim()))
    .pipe(z.array(oneOf(words)));
}

/** An id of ours, as far as its form goes. */
export function idOf(prefix: IdPrefix) {
  return z.string().refine((text) => isId(prefix, text), {
    error: ({ input }) => `"${input}" is no id of this kind (${prefix}_…).`,
  });
}

/** A whole number from `min` to `max`, written in digits. */
export function wholeNumber(min: number, max: number) {
  return z
    .string()
    .refine((text) => /^-?\d+$/.test(text) && Number(text) >= min && Number(text) <= max, {
      error: ({ input }) => `"${input}" is no whole number from ${min} to ${max}.`,
    })
    .transform(Number);
}

export const ModeOption = oneOf(modes);
export const ScopesOption = someOf(scopes);
export const OrganizationOption = idOf('org');
