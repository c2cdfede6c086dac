/** A rectangle on a page as a reader sees it, in millimetres from the top left corner. */
export type BoxMm = { x: number; y: number; width: number; height: number };

/** An inch has 72 points and 25.4 mm. */
export const pointsPerMm = 72 / 25.4;

/** The only format that is printed (ISO 216). */
export const a4 = { widthMm: 210, heightMm: 297 } as const;

/** The printer leaves this much of each edge blank. */
export const edgeMm = 5;

/** A page within this much of A4 counts as A4. Writers of PDFs round the size differently. */
export const sizeToleranceMm = 2;

/** Returns whether a page, as a reader sees it, is upright A4. */
export function isA4({ widthMm, heightMm }: { widthMm: number; heightMm: number }): boolean {
  return Math.abs(widthMm - a4.widthMm) <= sizeToleranceMm && Math.abs(heightMm - a4.heightMm) <= sizeToleranceMm;
}
