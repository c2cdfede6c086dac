import type { BoxMm } from './a4.ts';

/** Where an envelope has its window, as places on page 1. */
export type EnvelopeScheme = {
  /** All that may show in the window when the letter moves in its envelope. The document leaves it blank. */
  window: BoxMm;
  /** Free for the franking mark or the label of the post office. */
  franking: BoxMm;
  /** One line that names the sender, for letters that come back. */
  sender: BoxMm;
  /** Up to six lines that name the recipient. */
  address: BoxMm;
};

/** The envelope: a tri-folded sheet, a folded sheet, a flat one. */
export const formats = ['DL', 'C5', 'C4'] as const;
export type Format = (typeof formats)[number];

export const schemeNames = ['window-left', 'window-right', 'registered'] as const;
export type SchemeName = (typeof schemeNames)[number];

/**
 * The envelopes that letters are printed for. Left: the window that European print services use (address 22, 60, of
 * 85.5 x 25.5 mm, under 20 mm for the franking). Registered: the same envelope with a label as high as 28 mm. Right: the
 * right-hand window of C5 envelopes (120, 52, of 80 x 31.5 mm), which has 12 mm for the franking above it.
 */
export const envelopeSchemes: Record<SchemeName, EnvelopeScheme> = {
  'window-left': {
    window: { x: 20, y: 40, width: 89.5, height: 45.5 },
    franking: { x: 20, y: 40, width: 89.5, height: 20 },
    sender: { x: 22, y: 60, width: 85.5, height: 4 },
    address: { x: 22, y: 64, width: 85.5, height: 21.5 },
  },
  'window-right': {
    window: { x: 118, y: 40, width: 84, height: 43.5 },
    franking: { x: 118, y: 40, width: 84, height: 12 },
    sender: { x: 120, y: 52, width: 80, height: 4 },
    address: { x: 120, y: 56, width: 80, height: 27.5 },
  },
  registered: {
    window: { x: 20, y: 36, width: 89.5, height: 49.5 },
    franking: { x: 20, y: 36, width: 89.5, height: 28 },
    sender: { x: 22, y: 64, width: 85.5, height: 4 },
    address: { x: 22, y: 68, width: 85.5, height: 17.5 },
  },
};

/**
 * Where a copy has its address. `page`: on page 1. `cover`: on a cover page in front, whose back is blank. `none`: the
 * document shows an address of its own in the window.
 */
export const placements = ['page', 'cover', 'none'] as const;
export type Placement = (typeof placements)[number];

/** Place of the data matrix on the front of every sheet: in the left margin, off the folds at 105 and 210 mm. */
export const sheetMarkBox: BoxMm = { x: 5, y: 270, width: 9, height: 9 };
