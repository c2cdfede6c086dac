import { PDFName, type PDFObject, PDFStream } from '@cantoo/pdf-lib';
import { type Matrix, multiply } from '#common/documents/sheet/matrix.ts';
import type { PdfSource } from '../pdf-source.ts';
import { type Fit, placeSides, type Rotation, type Sides, type SourceGeometry, toPdfNumber } from './fit-to-a4.ts';
import { readMatrix, transformSides } from './matrix.ts';
import { intersect, readNumbers, toSides } from './source-geometry.ts';

/** A page that is changed: what it was, and what it becomes. */
export type FittedPage = { geometry: SourceGeometry; fit: Fit };

/** An annotation on a changed page. */
export type PlacedAnnotation = {
  rect: Sides;
  /** Entries and content of a form that draws the appearance, named `Look`, in its place. Null when it needs none. */
  wrapper: { box: Sides; content: string } | null;
};

/** Readers compute with 32-bit floats, so nothing is drawn as far from the page as this. */
const maxCoordinate = 1e9;

type SourceAnnotation = {
  rect: Sides;
  appearance: PDFObject;
  /** Whether a reader turns the annotation back on a rotated page, around its upper left corner. */
  isUpright: boolean;
};

const [boxKey, matrixKey] = [PDFName.of('BBox'), PDFName.of('Matrix')];

/**
 * Returns where an annotation is after its page was fitted; null when nothing of it was visible. One that crosses the
 * edge of the page, or that readers turn back, is drawn by a form, which clips or turns it.
 */
export function placeAnnotation(
  { rect, appearance, isUpright }: SourceAnnotation,
  { geometry, fit }: FittedPage,
  resolve: PdfSource['resolve'],
): PlacedAnnotation | null {
  if (!Object.values(rect).every((at) => Math.abs(at) <= maxCoordinate)) return null;
  const turn = isUpright ? turnedBack(rect, geometry.rotation) : null;
  const drawn = turn ? transformSides(turn, rect) : rect;
  const shown = fit.placing ? intersect(drawn, geometry.visible) : drawn;
  if (!shown) return null;
  const isWhole = Object.entries(drawn).every(([side, at]) => at === shown[side as keyof Sides]);
  if (isWhole && !turn) return { rect: placeSides(rect, fit.placing), wrapper: null };

  const stretched = stretchTo(rect, appearance, resolve);
  if (!stretched) return null;
  const matrix = turn ? multiply(stretched, turn) : stretched;
  const content = `${matrix.map((number) => toPdfNumber(number, 8)).join(' ')} cm /Look Do\n`;
  return { rect: placeSides(shown, fit.placing), wrapper: { box: shown, content } };
}

/** Returns the turn by which an annotation stays upright on a rotated page (`NoRotate`, ISO 32000-1, 12.5.3). */
function turnedBack({ left, top }: Sides, rotation: Rotation): Matrix | null {
  switch (rotation) {
    case 0:
      return null;
    case 90:
      return [0, 1, -1, 0, left + top, top - left];
    case 180:
      return [-1, 0, 0, -1, 2 * left, 2 * top];
    case 270:
      return [0, -1, 1, 0, left - top, top + left];
  }
}

/** Returns how readers stretch an appearance to its annotation (ISO 32000-1, 12.5.5, algorithm 8.1). */
function stretchTo(rect: Sides, appearance: PDFObject, resolve: PdfSource['resolve']): Matrix | null {
  const stream = resolve(appearance);
  if (!(stream instanceof PDFStream)) return null;
  const box = toSides(readNumbers(stream.dict.get(boxKey), 4, resolve));
  if (!box) return null;
  const { left, bottom, right, top } = transformSides(readMatrix(stream.dict.get(matrixKey), resolve), box);
  const [a, d] = [(rect.right - rect.left) / (right - left), (rect.top - rect.bottom) / (top - bottom)];
  const matrix: Matrix = [a, 0, 0, d, rect.left - left * a, rect.bottom - bottom * d];
  return matrix.every((number) => Math.abs(number) < 1e12) ? matrix : null;
}
