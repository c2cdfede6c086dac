import * as de from '#api/web/account/letter/letter.texts.de.ts';
import * as en from '#api/web/account/letter/letter.texts.en.ts';
import * as fr from '#api/web/account/letter/letter.texts.fr.ts';
import * as nl from '#api/web/account/letter/letter.texts.nl.ts';
import type { Language } from '#common/languages.ts';

/** The texts of the page of a letter. */
export const letterTexts: Record<Language, typeof en> = { en, fr, nl, de };
