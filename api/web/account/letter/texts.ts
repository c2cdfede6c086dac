import { pagesWith } from '#api/web/framework/page.ts';
import type { VisitWith } from '#api/web/visit/visit.ts';
import * as de from './letter.texts.de.ts';
import * as en from './letter.texts.en.ts';
import * as fr from './letter.texts.fr.ts';
import * as nl from './letter.texts.nl.ts';

export const { defineAction, definePage } = pagesWith('user', { en, fr, nl, de });

export type Visit = VisitWith<typeof en>;
