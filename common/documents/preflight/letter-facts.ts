import { countSheets } from '#common/services.ts';
import { a4 } from '../sheet/a4.ts';

/** Envelopes by the sheets they hold and their own weight in grams. Sheets are folded for DL and C5, not for C4. */
export const envelopes = {
  DL: { maxSheets: 6, grams: 5 },
  C5: { maxSheets: 18, grams: 7 },
  C4: { maxSheets: Number.POSITIVE_INFINITY, grams: 16 },
} as const;
export type EnvelopeFormat = keyof typeof envelopes;

/** Paper of 80 g/m²: 4.99 g. */
const sheetGrams = (80 * a4.widthMm * a4.heightMm) / 1_000_000;
/** Heavier items are parcels. */
const maxEnvelopeGrams = 2_000;

/** What is posted for one recipient. */
export type LetterFacts = {
  pages: number;
  sheets: number;
  doubleSided: boolean;
  /** Of all envelopes with their sheets, rounded up to whole grams. */
  weightGrams: number;
  envelope: EnvelopeFormat;
  envelopes: number;
};

export type FactsOptions = {
  /** Absent: on both sides. */
  doubleSided?: boolean | undefined;
  /** Whether a cover page is put in front, on a sheet of its own. */
  hasCoverPage?: boolean;
  /** Weight of a sheet, 4.99 g by default; prices may be computed with rounded grams. */
  gramsPerSheet?: number;
};

/** Returns the sheets, weight and envelopes of a letter of at least one page. */
export function letterFacts(
  pages: number,
  { doubleSided = true, hasCoverPage = false, gramsPerSheet }: FactsOptions = {},
): LetterFacts {
  const grams = gramsPerSheet ?? sheetGrams;
  const sheets = countSheets(pages, { doubleSided }) + (hasCoverPage ? 1 : 0);
  const sheetsPerEnvelope = Math.floor((maxEnvelopeGrams - envelopes.C4.grams) / grams);
  const count = Math.ceil(sheets / sheetsPerEnvelope);
  const envelope = count > 1 || sheets > envelopes.C5.maxSheets ? 'C4' : sheets > envelopes.DL.maxSheets ? 'C5' : 'DL';
  const weightGrams = Math.ceil(sheets * grams + count * envelopes[envelope].grams);
  return { pages, sheets, doubleSided, weightGrams, envelope, envelopes: count };
}
