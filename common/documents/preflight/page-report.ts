import { z } from 'zod';
import { maxPages } from '../pdf/limits/max-pages.ts';
import { sourceNotes } from '../pdf/source-notes.ts';
import type { BoxMm } from '../sheet/a4.ts';
import { schemeNames } from '../sheet/envelope-schemes.ts';
import { maxSideMm } from './measuring/page-geometry.ts';
import { maxBoxes, maxFonts } from './measuring/report-limits.ts';

/** A box may exceed its page by a pixel. */
const coordinate = z
  .number()
  .min(-100)
  .max(maxSideMm + 100);
const box: z.ZodType<BoxMm> = z.strictObject({
  x: coordinate,
  y: coordinate,
  width: coordinate.min(0),
  height: coordinate.min(0),
});
const side = z.number().min(0).max(maxSideMm);

const pageReport = z.strictObject({
  /** As a reader sees it: the CropBox within the MediaBox, rotated, in the page's unit. At most 100 m. */
  widthMm: side,
  heightMm: side,
  /** Degrees clockwise. */
  rotation: z.literal([0, 90, 180, 270]),
  /** What the page was before it was fitted to A4; null when it is as its sender made it. */
  fitted: z
    .strictObject({
      widthMm: side,
      heightMm: side,
      /** Clockwise. The top of a turned page is at the left of the sheet. */
      turnedDegrees: z.literal([0, 270]),
      scalePercent: z.number().min(0).max(200),
    })
    .nullable(),
  /** About the file that it is the first page of. */
  notes: z.array(z.enum(sourceNotes)).max(sourceNotes.length),
  isBlank: z.boolean(),
  /** Whether it shows anything that is not black, white or grey. */
  isColoured: z.boolean(),
  /** Boxes around the ink outside the printable area. */
  outside: z.array(box).max(maxBoxes),
  /** The box around the ink in the window of each envelope scheme. Page 1 only, else null. */
  windows: z.record(z.enum(schemeNames), box.nullable()),
  /** The box around the ink in the place of the sheet's mark. Only the fronts of sheets get one. */
  mark: box.nullable(),
  /** Names of the fonts that are not embedded; empty for a font without a name. */
  fonts: z.array(z.string().max(80)).max(maxFonts),
  /** Images below 150 dots per inch. `dpi` is the lowest in the box. */
  images: z.array(z.strictObject({ dpi: z.number().min(0).max(150), box })).max(maxBoxes),
  /** Whether the page has more objects than are looked at, or is too large to be measured exactly. */
  isIncomplete: z.boolean(),
});

/** What was measured on one page. Lengths are in millimetres from the top left corner that a reader sees. */
export type PageReport = z.infer<typeof pageReport>;

/** What was measured in a print file. Security: it comes from a process that opened untrusted bytes. */
export const letterReport = z.strictObject({ pages: z.array(pageReport).min(1).max(maxPages) });
export type LetterReport = z.infer<typeof letterReport>;
