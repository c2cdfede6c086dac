import type { Language } from '#common/languages.ts';
import * as de from './de.ts';
import * as en from './en.ts';
import * as fr from './fr.ts';
import * as nl from './nl.ts';

/** The texts that pages share. English defines the type, so the compiler finds missing texts in other languages. */
export type Texts = typeof en;

const textsByLanguage: Record<Language, Texts> = { en, fr, nl, de };

/** Returns the shared texts of one language. */
export function textsOf(language: Language): Texts {
  return textsByLanguage[language];
}
