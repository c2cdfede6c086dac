import type { Language } from '#common/languages.ts';
import * as de from './de.ts';
import { en, type Texts } from './en.ts';
import * as fr from './fr.ts';
import * as nl from './nl.ts';

const textsByLanguage: Record<Language, Texts> = { en, fr, nl, de };

/** Returns all texts of one language. */
export function textsOf(language: Language): Texts {
  return textsByLanguage[language];
}
