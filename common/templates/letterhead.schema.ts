import { z } from 'zod';
import { printedLine } from '#common/fields/text.schema.ts';
import type { LetterheadRecord } from './letterhead.model.ts';
import { letterheadLimits } from './letterheads.ts';

const { lineLength, senderLines, footerLines, logoBytes, logoPixels } = letterheadLimits;
/** Base64 has 4 characters for 3 bytes. */
const maxLogoLength = Math.ceil(logoBytes / 3) * 4;

const lines = {
  senderLines: z.array(printedLine(lineLength)).max(senderLines).describe('At the top right of page 1.'),
  footerLines: z.array(printedLine(lineLength)).max(footerLines).describe('At the bottom of every page.'),
};

/** The body of PATCH /v1/templates/letterhead, a merge patch (RFC 7396): absent fields stay, null removes the logo. */
export const LetterheadPatch = z
  .strictObject({
    ...lines,
    logo: z
      .base64()
      .min(4)
      .max(maxLogoLength)
      .nullable()
      .describe(
        `A PNG or JPEG image of at most ${logoBytes / 1000} kB and ${logoPixels} pixels a side, in base64. Printed at the top left of page 1.`,
      ),
  })
  .partial()
  .refine((patch) => Object.keys(patch).length > 0, 'Give at least one field to change.')
  .meta({ id: 'LetterheadPatch', minProperties: 1 });
export type LetterheadPatch = z.infer<typeof LetterheadPatch>;

/** The letterhead of an organization. */
export const LetterheadView = z
  .object({
    ...lines,
    logo: z.object({ mimeType: z.enum(['image/png', 'image/jpeg']), base64: z.string() }).nullable(),
    updatedAt: z.iso.datetime().nullable().describe('null: it was never set, and nothing is printed.'),
  })
  .meta({ id: 'Letterhead' });
export type LetterheadView = z.infer<typeof LetterheadView>;

export function toLetterheadView(row: LetterheadRecord | null): LetterheadView {
  if (!row) return { senderLines: [], footerLines: [], logo: null, updatedAt: null };
  const { logo } = row;
  return {
    ...{ senderLines: row.senderLines, footerLines: row.footerLines },
    logo: logo && { mimeType: `image/${logo.type}`, base64: logo.base64 },
    updatedAt: row.updatedAt.toISOString(),
  };
}
