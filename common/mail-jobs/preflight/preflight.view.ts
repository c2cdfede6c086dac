import { z } from 'zod';
import { type EnvelopeFormat, envelopes } from '#common/documents/preflight/letter-facts.ts';
import { placements } from '#common/documents/sheet/envelope-schemes.ts';
import { openEnum } from '#common/fields/open-enum.schema.ts';
import type { PreflightRecord } from './preflight.model.ts';

const Millimetres = z.number();

/** A problem to fix, or a fact to know, before a letter is printed. */
export const FindingView = z
  .object({
    code: z.string().describe('An open list. Each code is explained in the guide "The letter on paper".'),
    severity: openEnum(['error', 'warning', 'info']).describe(
      '`error`: cannot be printed. `warning`: may look wrong on paper. `info`: is printed as it should be.',
    ),
    page: z.int().nullable().describe('In the letter, from 1; null for the whole letter.'),
    boxMm: z
      .object({ x: Millimetres, y: Millimetres, width: Millimetres, height: Millimetres })
      .nullable()
      .describe('In millimetres from the top left corner of the page as a reader sees it.'),
    message: z.string(),
    fix: z.string().describe('What to do next.'),
  })
  .meta({ id: 'Finding' });

const formats = Object.keys(envelopes) as [EnvelopeFormat, ...EnvelopeFormat[]];
const LetterView = z
  .object({
    pages: z.int(),
    sheets: z.int().describe('A cover page is not counted.'),
    doubleSided: z.boolean(),
    weightGrams: z.int().describe('Of all envelopes with their sheets.'),
    envelope: openEnum(formats),
    envelopes: z.int(),
    addressOn: z
      .enum(placements)
      .describe(
        '`page`: in the window of page 1. `cover`: on a cover page in front. `none`: the document shows its own.',
      ),
  })
  .meta({ id: 'CheckedLetter' });

/** A check of files. */
export const PreflightView = z
  .object({
    preflightId: z.string(),
    status: z.enum(['running', 'done']),
    canBePrinted: z.boolean().nullable().describe('Whether no finding is an error. Null while the check runs.'),
    letter: LetterView.nullable().describe('Null while the check runs, and when the files cannot be printed.'),
    findings: z.array(FindingView),
    overlayUrl: z
      .string()
      .nullable()
      .describe('A PNG of page 1 with the window and the findings drawn over it. Works for five minutes.'),
    expiresAt: z.iso.datetime().describe('The result can be read until then.'),
  })
  .meta({ id: 'Preflight' });
export type PreflightView = z.infer<typeof PreflightView>;

/** `overlayUrl`: signed for this answer. */
export function toPreflightView(
  { _id: preflightId, result, expiresAt }: PreflightRecord,
  overlayUrl: string | null,
): PreflightView {
  const { facts = null, placement = null, findings = [] } = result ?? {};
  return {
    preflightId,
    status: result ? 'done' : 'running',
    canBePrinted: result ? findings.every(({ severity }) => severity !== 'error') : null,
    letter: facts && placement && { ...facts, doubleSided: facts.doubleSided ?? true, addressOn: placement },
    findings,
    overlayUrl,
    expiresAt: expiresAt.toISOString(),
  };
}
