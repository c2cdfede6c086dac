import type { RawPdfium, Scratch } from '#common/documents/pdfium/raw-pdfium.ts';
import type { BoxMm } from '#common/documents/sheet/a4.ts';
import { type PageGeometry, transformBox } from './page-geometry.ts';
import { readMatrix, type VisitedObject, visitObjects } from './visit-objects.ts';

/** Text in a font that is not embedded. */
export type PlacedText = { fontName: string; box: BoxMm };
/** An image with too few pixels for its size. */
export type PlacedImage = { dpi: number; box: BoxMm };
export type FoundObjects = {
  texts: PlacedText[];
  images: PlacedImage[];
  /** Whether the page has more than was looked at. */
  isIncomplete: boolean;
};

/** Texts and images that are kept per page. */
const maxKept = 1_000;
/** Text that draws nothing: invisible, as over scans, and for clipping only (ISO 32000-1, table 106). */
const undrawnModes = [3, 7];
const unitSquare: BoxMm = { x: 0, y: 0, width: 1, height: 1 };
/** Images of fewer pixels a side are colours, lines or gradients, which any resolution prints well. */
const minImageSide = 8;
/** 150 dots per inch, and what writers lose by rounding sizes. */
const leastDpi = 149.5;
const mmPerInch = 25.4;

/**
 * Finds what a loaded page sets in fonts that are not embedded, and its images below 150 dots per inch as printed. Finds
 * also what is not drawn, such as hidden layers.
 */
export function findObjects(pdfium: RawPdfium, page: number, { toMm }: PageGeometry, scratch: Scratch): FoundObjects {
  const texts: PlacedText[] = [];
  const images: PlacedImage[] = [];
  const readFont = createFontReader(pdfium, scratch);

  const isComplete = visitObjects(pdfium, page, { toMm, scratch }, (visited) => {
    if (visited.kind === 'image') {
      const image = readImage(pdfium, visited, scratch);
      if (image && image.dpi < leastDpi && images.length <= maxKept) images.push(image);
      return;
    }
    const fontName = readFont(visited.object);
    if (fontName === null || texts.length > maxKept) return;
    if (undrawnModes.includes(pdfium._FPDFTextObj_GetTextRenderMode(visited.object))) return;
    const box = visited.annotationBox ?? readBounds(pdfium, visited, scratch);
    if (box) texts.push({ fontName, box });
  });
  const isIncomplete = !isComplete || texts.length > maxKept || images.length > maxKept;
  return { texts, images, isIncomplete };
}

function readImage(pdfium: RawPdfium, visited: VisitedObject, scratch: Scratch): PlacedImage | null {
  const { object, matrix, annotationBox } = visited;
  const { address } = scratch;
  if (!pdfium._FPDFImageObj_GetImagePixelSize(object, address, address + 4)) return null;
  const [widthPixels = 0, heightPixels = 0] = scratch.integers(2);
  if (widthPixels < minImageSide || heightPixels < minImageSide) return null;
  const own = readMatrix(pdfium, object, scratch);
  if (!own) return null;
  const [a, b, c, d] = own;
  const [A, B, C, D] = matrix;
  // PDFium does not tell how an annotation scales its content, but nothing in it is larger than the annotation.
  const mostMm = annotationBox ? Math.max(annotationBox.width, annotationBox.height) : Number.POSITIVE_INFINITY;
  const widthMm = Math.min(mostMm, Math.hypot(a * A + b * C, a * B + b * D));
  const heightMm = Math.min(mostMm, Math.hypot(c * A + d * C, c * B + d * D));
  const dpi = mmPerInch * Math.min(widthPixels / widthMm, heightPixels / heightMm);
  const onForm = annotationBox ? null : transformBox(own, unitSquare);
  const box = annotationBox ?? (onForm && transformBox(matrix, onForm));
  return box && { dpi, box };
}

function readBounds(pdfium: RawPdfium, { object, matrix }: VisitedObject, { address, floats }: Scratch): BoxMm | null {
  if (!pdfium._FPDFPageObj_GetBounds(object, address, address + 4, address + 8, address + 12)) return null;
  const [left = 0, bottom = 0, right = 0, top = 0] = floats(4);
  return transformBox(matrix, { x: left, y: bottom, width: right - left, height: top - bottom });
}

/** Returns a function that returns the name of a text's font; null when the font is embedded. */
function createFontReader(pdfium: RawPdfium, scratch: Scratch): (text: number) => string | null {
  const names = new Map<number, string | null>();
  return (text) => {
    const font = pdfium._FPDFTextObj_GetFont(text);
    const known = names.get(font);
    if (known !== undefined) return known;
    const isEmbedded = font === 0 || pdfium._FPDFFont_GetIsEmbedded(font) !== 0;
    const name = isEmbedded ? null : readName(pdfium, font, scratch);
    names.set(font, name);
    return name;
  };
}

/** A subset is named like `ABCDEF+Helvetica`. */
const subsetPrefix = /^[A-Z]{6}\+/;
const unprintable = /[^\p{L}\p{N}\p{P}\p{S} ]/gu;
const maxNameLength = 80;

/** Returns the name of a font as a person may read it; empty when it has none. */
function readName(pdfium: RawPdfium, font: number, scratch: Scratch): string {
  const length = pdfium._FPDFFont_GetBaseFontName(font, scratch.address, scratch.sizeBytes);
  const name = length >= 1 && length <= scratch.sizeBytes ? scratch.text(length - 1) : '';
  return name.replace(subsetPrefix, '').replaceAll(unprintable, '').trim().slice(0, maxNameLength);
}
