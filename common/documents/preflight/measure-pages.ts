import { maxPages } from '../pdf/limits/max-pages.ts';
import { openPdf, type RawPdfium, type Scratch, takeScratch } from '../pdfium/raw-pdfium.ts';
import { type BoxMm, pointsPerMm } from '../sheet/a4.ts';
import type { GreyDrawing } from './measuring/draw-grey.ts';
import { hasInk } from './measuring/find-ink.ts';
import { type FoundObjects, findObjects, type PlacedImage } from './measuring/find-objects.ts';
import { hasColour } from './measuring/has-colour.ts';
import { isDrawnLessExactly, measureInk } from './measuring/measure-ink.ts';
import { type PageEntries, readPageEntries } from './measuring/page-entries.ts';
import { intersect, maxSideMm, readGeometry, unite } from './measuring/page-geometry.ts';
import { maxBoxes, maxFonts } from './measuring/report-limits.ts';
import type { LetterReport, PageReport } from './page-report.ts';

/** Levels of 255 at which a drawing at 50 dots per inch shows something. */
const shownLevel = 250;
/** Images that are closer together are one box, as in scans that are stored in strips. */
const imageGapMm = 1;

const emptyPage = {
  isColoured: false,
  outside: [],
  windows: { 'window-left': null, 'window-right': null, registered: null },
  mark: null,
  fonts: [],
  images: [],
};

/**
 * Measures each page of a print file, one after the other: memory does not grow with pages. Throws when PDFium cannot
 * open the file or a page, when it was refused memory, and for more pages than a mail job may have.
 */
export function measurePages(pdfium: RawPdfium, pdf: Uint8Array): LetterReport {
  const document = openPdf(pdfium, pdf);
  const pageCount = pdfium._FPDF_GetPageCount(document);
  if (pageCount > maxPages) throw new RangeError(`The file has ${pageCount} pages.`);
  const entriesOf = readPageEntries(pdf);
  const scratch = takeScratch(pdfium);
  const pages = Array.from({ length: pageCount }, (_, index) => {
    const page = pdfium._FPDF_LoadPage(document, index);
    if (page === 0) throw new Error(`PDFium did not open page ${index + 1}.`);
    try {
      const measured = measurePage(pdfium, page, { index, entries: entriesOf(index), scratch });
      pdfium.throwIfStarved();
      return measured;
    } finally {
      pdfium._FPDF_ClosePage(page);
    }
  });
  return { pages };
}

type PageWork = { index: number; entries: PageEntries; scratch: Scratch };

function measurePage(pdfium: RawPdfium, page: number, { index, entries, scratch }: PageWork): PageReport {
  const { userUnit, fitted, notes } = entries;
  const geometry = readGeometry(pdfium, page, scratch, userUnit);
  if (!geometry) return unmeasured(pdfium, page, entries);

  const found = findObjects(pdfium, page, geometry, scratch);
  let shown: Pick<PageReport, 'fonts' | 'images'> = { fonts: [], images: [] };
  const { isBlank, outside, windows, mark } = measureInk(pdfium, page, geometry, {
    hasWindow: index === 0,
    look: (drawing) => {
      shown = keepShown(drawing, found);
    },
  });
  const { widthMm, heightMm, quarterTurns } = geometry;
  return {
    widthMm: round(widthMm),
    heightMm: round(heightMm),
    rotation: rotations[quarterTurns],
    fitted,
    notes,
    isBlank,
    isColoured: !isBlank && hasColour(pdfium, page, geometry),
    outside: outside.map((box) => roundBox(box)),
    windows: {
      'window-left': roundBox(windows['window-left']),
      'window-right': roundBox(windows['window-right']),
      registered: roundBox(windows.registered),
    },
    mark: roundBox(mark),
    ...shown,
    isIncomplete: found.isIncomplete || isDrawnLessExactly(geometry),
  };
}

/** Reports the size of a page without area, or of one that is too large. */
function unmeasured(pdfium: RawPdfium, page: number, { userUnit, fitted, notes }: PageEntries): PageReport {
  const sides = [pdfium._FPDF_GetPageWidthF(page), pdfium._FPDF_GetPageHeightF(page)];
  const [widthMm = 0, heightMm = 0] = sides.map((side) =>
    round(Math.max(0, Math.min(maxSideMm, (side * userUnit) / pointsPerMm || 0))),
  );
  return { ...emptyPage, widthMm, heightMm, rotation: 0, fitted, notes, isBlank: false, isIncomplete: true };
}

const rotations = { 0: 0, 1: 90, 2: 180, 3: 270 } as const;

/** Leaves out what the drawing of the page does not show, such as hidden layers and what lies beyond the page. */
function keepShown(drawing: GreyDrawing, { texts, images }: FoundObjects): Pick<PageReport, 'fonts' | 'images'> {
  const fonts = new Set<string>();
  for (const { fontName, box } of texts) {
    if (fonts.size < maxFonts && !fonts.has(fontName) && isShown(drawing, box)) fonts.add(fontName);
  }
  const page = { x: 0, y: 0, width: drawing.width / drawing.scaleX, height: drawing.height / drawing.scaleY };
  const shown = images.flatMap(({ dpi, box }) => {
    const part = intersect(box, page);
    return part && isShown(drawing, part) ? [{ dpi, box: part }] : [];
  });
  return {
    fonts: [...fonts],
    images: joinNeighbours(shown).map(({ dpi, box }) => ({ dpi: Math.round(dpi), box: roundBox(box) })),
  };
}

function isShown(drawing: GreyDrawing, box: BoxMm): boolean {
  return hasInk(drawing, box, shownLevel, 'touching');
}

/** Joins images that touch, and ever larger gaps until few boxes are left. */
function joinNeighbours(images: readonly PlacedImage[], gapMm = imageGapMm): PlacedImage[] {
  let joined: PlacedImage[] = [];
  for (const image of images) {
    let { dpi, box } = image;
    const grown = { x: box.x - gapMm, y: box.y - gapMm, width: box.width + 2 * gapMm, height: box.height + 2 * gapMm };
    const near = joined.filter((other) => intersect(other.box, grown));
    for (const other of near) {
      dpi = Math.min(dpi, other.dpi);
      box = unite(box, other.box);
    }
    joined = [...joined.filter((other) => !near.includes(other)), { dpi, box }];
  }
  return joined.length <= maxBoxes ? joined : joinNeighbours(joined, gapMm * 2);
}

/** Millimetres are reported in hundredths. */
function round(mm: number): number {
  return Math.round(mm * 100) / 100;
}

function roundBox(box: BoxMm): BoxMm;
function roundBox(box: BoxMm | null): BoxMm | null;
function roundBox(box: BoxMm | null): BoxMm | null {
  return box && { x: round(box.x), y: round(box.y), width: round(box.width), height: round(box.height) };
}
