import { pagesWith } from '#api/web/framework/page.ts';
import type { VisitWith } from '#api/web/visit/visit.ts';
import * as de from './texts.de.ts';
import * as en from './texts.en.ts';
import * as fr from './texts.fr.ts';
import * as nl from './texts.nl.ts';

export const { defineAction, definePage } = pagesWith('anyone', { en, fr, nl, de });

export type Visit = VisitWith<typeof en>;
