const pointsPerMm = 72 / 25.4;
const shortSideMm = 210;
const longSideMm = 297;
const marginMm = 5;

/** EXIF's number for how a camera was held: 1 upright, 2 to 4 mirrored or upside down, 5 to 8 lying on a side. */
export type Orientation = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;

/** Where an image stands on its page, in points from the lower left corner. */
export type Placement = {
  pageWidth: number;
  pageHeight: number;
  /** Turns the unit square, in which PDF draws an image, into the image's place: the operands of `cm`. */
  matrix: readonly [number, number, number, number, number, number];
};

/**
 * The largest place for an image on an A4 page with 5 mm free on every side: upright or lying, whichever fits better,
 * the aspect kept, centred. `width` and `height` are those of the stored pixels, before the orientation is applied.
 */
export function placeOnA4(width: number, height: number, orientation: Orientation = 1): Placement {
  const isTurned = orientation >= 5;
  const [seenWidth, seenHeight] = isTurned ? [height, width] : [width, height];
  const isLying = seenWidth > seenHeight;
  const pageWidth = (isLying ? longSideMm : shortSideMm) * pointsPerMm;
  const pageHeight = (isLying ? shortSideMm : longSideMm) * pointsPerMm;

  const margin = marginMm * pointsPerMm;
  const scale = Math.min((pageWidth - 2 * margin) / seenWidth, (pageHeight - 2 * margin) / seenHeight);
  const w = seenWidth * scale;
  const h = seenHeight * scale;
  const x = (pageWidth - w) / 2;
  const y = (pageHeight - h) / 2;

  const matrices: Record<Orientation, Placement['matrix']> = {
    1: [w, 0, 0, h, x, y],
    2: [-w, 0, 0, h, x + w, y],
    3: [-w, 0, 0, -h, x + w, y + h],
    4: [w, 0, 0, -h, x, y + h],
    5: [0, -h, -w, 0, x + w, y + h],
    6: [0, -h, w, 0, x, y + h],
    7: [0, h, w, 0, x, y],
    8: [0, h, -w, 0, x + w, y],
  };
  return { pageWidth, pageHeight, matrix: matrices[orientation] };
}

/** Pixels that the printable part of an A4 page shows at 300 dots per inch; more are scaled down. */
export const printablePixels = {
  shortSide: Math.round(((shortSideMm - 2 * marginMm) / 25.4) * 300),
  longSide: Math.round(((longSideMm - 2 * marginMm) / 25.4) * 300),
};
