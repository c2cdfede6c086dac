import type { RawPdfium } from '#common/documents/pdfium/raw-pdfium.ts';
import { type BoxMm, edgeMm } from '#common/documents/sheet/a4.ts';
import {
  envelopeSchemes,
  type SchemeName,
  schemeNames,
  sheetMarkBox,
} from '#common/documents/sheet/envelope-schemes.ts';
import { drawGrey, type GreyDrawing, maxDrawingPixels } from './draw-grey.ts';
import { boundInk, hasInk, splitAtGaps } from './find-ink.ts';
import { boxBetween, intersect, type PageGeometry, unite } from './page-geometry.ts';

/** 50 dots per inch. */
const coarsePixelsPerMm = 50 / 25.4;
/** To find the sides of ink that is in a zone for certain: within 0.25 mm. */
const finePixelsPerMm = 4;
/** To decide whether ink at the border of a zone is in it. */
const borderPixelsPerMm = 20;
/** Writers round numbers: ink that exceeds a border by less is on the border. */
const borderToleranceMm = 0.05;
/** PDFium moves the sides of areas to whole pixels: ink may be one pixel, and a part of one, from where it is seen. */
const coarseErrorMm = 1.5 / coarsePixelsPerMm;

/** Levels of 255 that may be ink when a coarse pixel contains a thin line, and levels that are. */
const perhapsInkLevel = 250;
const inkLevel = 240;
/** Ink that is closer together than this is one box. */
const gapMm = 3;
/** Most boxes at one edge of a page. */
const maxBoxesPerEdge = 3;

/** Where a page has ink, in boxes that contain it. */
export type PageInk = {
  isBlank: boolean;
  /** Outside the printable area, edge by edge. */
  outside: BoxMm[];
  /** In the windows of all envelope schemes. */
  windows: Record<SchemeName, BoxMm | null>;
  /** In the place of the sheet's mark. */
  mark: BoxMm | null;
};

/** What may have ink in it: a zone, and the part of it that a drawing of the page shows as inked. */
type Suspect = { zone: BoxMm; part: BoxMm; isCertain: boolean };

type InkWork = { hasWindow: boolean; look: (drawing: GreyDrawing) => void };

/**
 * Finds the ink of a loaded page. `look` gets the drawing of the whole page at about 50 dots per inch. Where the drawing
 * shows ink in or near a zone, that part is drawn again: boxes are right within 0.3 mm, and ink that exceeds a border by
 * 0.1 mm is found.
 */
export function measureInk(pdfium: RawPdfium, page: number, geometry: PageGeometry, work: InkWork): PageInk {
  const { widthMm, heightMm } = geometry;
  const whole = { x: 0, y: 0, width: widthMm, height: heightMm };
  const find = (zone: BoxMm | null) => zone && intersect(zone, whole);
  const seen = drawGrey(pdfium, page, geometry, { part: whole, pixelsPerMm: coarsePixelsPerMm }, (drawing) => {
    const isBlank = !hasInk(drawing, whole, perhapsInkLevel, 'touching');
    const suspectIn = (zone: BoxMm | null) => (zone && !isBlank ? suspect(drawing, zone) : null);
    if (!isBlank) work.look(drawing);
    return {
      isBlank,
      outside: isBlank ? [] : edges(geometry).flatMap((edge) => suspectsAtEdge(drawing, edge)),
      windows: schemeNames.map((name) => suspectIn(work.hasWindow ? find(envelopeSchemes[name].window) : null)),
      mark: suspectIn(find(sheetMarkBox)),
    };
  });
  const suspects = [...seen.outside, ...seen.windows, seen.mark].filter((found) => found !== null);
  const boxes = boundAll(pdfium, page, geometry, suspects);
  const confirm = (found: Suspect | null) => (found && boxes.get(found)) ?? null;
  const [left = null, right = null, registered = null] = seen.windows.map(confirm);
  return {
    isBlank: seen.isBlank,
    outside: seen.outside.map(confirm).filter((box) => box !== null),
    windows: { 'window-left': left, 'window-right': right, registered },
    mark: confirm(seen.mark),
  };
}

/** Whether a page is so large that its drawings are less exact, because their pixels are bounded. */
export function isDrawnLessExactly({ widthMm, heightMm }: PageGeometry): boolean {
  return widthMm * heightMm * finePixelsPerMm ** 2 > maxDrawingPixels;
}

/** The strips along the edges of a page that a printer leaves blank; the corners belong to the top and bottom. */
function edges({ widthMm, heightMm }: PageGeometry): BoxMm[] {
  const [right, bottom] = [Math.max(edgeMm, widthMm - edgeMm), Math.max(edgeMm, heightMm - edgeMm)];
  return [
    boxBetween(0, 0, widthMm, Math.min(edgeMm, heightMm)),
    boxBetween(0, edgeMm, Math.min(edgeMm, widthMm), bottom),
    boxBetween(right, edgeMm, widthMm, bottom),
    boxBetween(0, bottom, widthMm, heightMm),
  ].filter(({ width, height }) => width > 0 && height > 0);
}

function suspectsAtEdge(drawing: GreyDrawing, edge: BoxMm): Suspect[] {
  const near = grow(edge, coarseErrorMm);
  if (!hasInk(drawing, near, perhapsInkLevel, 'touching')) return [];
  const parts = splitAtGaps(drawing, near, { maxLevel: perhapsInkLevel, gapMm, most: maxBoxesPerEdge });
  return parts.flatMap((part) => {
    const zone = intersect(grow(part, coarseErrorMm), edge);
    return (zone && suspect(drawing, zone)) ?? [];
  });
}

function suspect(drawing: GreyDrawing, zone: BoxMm): Suspect | null {
  const ink = boundInk(drawing, grow(zone, 2 * coarseErrorMm), perhapsInkLevel);
  const part = ink && intersect(grow(ink, coarseErrorMm), zone);
  if (!part) return null;
  const isCertain = hasInk(drawing, grow(zone, -coarseErrorMm), inkLevel, 'inside');
  return { zone, part, isCertain };
}

/** Draws the parts again and returns the box of the ink in each. */
function boundAll(pdfium: RawPdfium, page: number, geometry: PageGeometry, suspects: readonly Suspect[]) {
  const boxes = new Map<Suspect, BoxMm | null>();
  const draw = (part: BoxMm, pixelsPerMm: number, look: (drawing: GreyDrawing) => void) =>
    drawGrey(pdfium, page, geometry, { part, pixelsPerMm }, look);
  // Drawing a page once costs less than drawing several parts of it.
  const certain = suspects.filter(({ isCertain }) => isCertain);
  const whole = certain
    .map(({ part }) => part)
    .reduce<BoxMm | null>((all, part) => (all ? unite(all, part) : part), null);
  if (whole) {
    draw(whole, finePixelsPerMm, (drawing) => {
      for (const suspect of certain) boxes.set(suspect, boundInk(drawing, suspect.zone, inkLevel));
    });
  }
  for (const suspect of suspects.filter(({ isCertain }) => !isCertain)) {
    draw(suspect.part, borderPixelsPerMm, (drawing) => {
      boxes.set(suspect, boundInk(drawing, grow(suspect.zone, -borderToleranceMm), inkLevel));
    });
  }
  return boxes;
}

function grow({ x, y, width, height }: BoxMm, byMm: number): BoxMm {
  return { x: x - byMm, y: y - byMm, width: width + 2 * byMm, height: height + 2 * byMm };
}
