const pointsPerMm = 72 / 25.4;
const shortSideMm = 210;
const longSideMm = 297;
const marginMm = 5;

/** EXIF orientation: 1 is upright, 2 to 4 are mirrored or upside down, 5 to 8 are rotated by 90 degrees. */
export type Orientation = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;

/** The position of an image on its page, in points from the lower left corner. */
export type Placement = {
  pageWidth: number;
  pageHeight: number;
  /** Whether the page is in landscape. */
  isLandscape: boolean;
  /** Operands of `cm`: maps the unit square, in which PDF draws an image, to the image's position. */
  matrix: readonly [number, number, number, number, number, number];
};

/**
 * Returns the largest centred position for an image on an A4 page with margins of 5 mm. The page is portrait or
 * landscape, whichever fits better, and the aspect ratio is kept. `width` and `height` are those of the stored pixels,
 * before the orientation is applied.
 */
export function placeOnA4(width: number, height: number, orientation: Orientation = 1): Placement {
  const isRotated = orientation >= 5;
  const [viewedWidth, viewedHeight] = isRotated ? [height, width] : [width, height];
  const isLandscape = viewedWidth > viewedHeight;
  const pageWidth = (isLandscape ? longSideMm : shortSideMm) * pointsPerMm;
  const pageHeight = (isLandscape ? shortSideMm : longSideMm) * pointsPerMm;

  const margin = marginMm * pointsPerMm;
  const scale = Math.min((pageWidth - 2 * margin) / viewedWidth, (pageHeight - 2 * margin) / viewedHeight);
  const w = viewedWidth * scale;
  const h = viewedHeight * scale;
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
  return { pageWidth, pageHeight, isLandscape, matrix: matrices[orientation] };
}

/** Pixels of the printable area of an A4 page at 300 dots per inch. Larger images are scaled down to this. */
export const printablePixels = {
  shortSide: Math.round(((shortSideMm - 2 * marginMm) / 25.4) * 300),
  longSide: Math.round(((longSideMm - 2 * marginMm) / 25.4) * 300),
};
