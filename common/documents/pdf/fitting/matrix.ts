import type { PDFObject } from '@cantoo/pdf-lib';
import type { Matrix } from '#common/documents/sheet/matrix.ts';
import type { PdfSource } from '../pdf-source.ts';
import type { Sides } from './fit-to-a4.ts';
import { readNumbers } from './source-geometry.ts';

const identity: Matrix = [1, 0, 0, 1, 0, 0];
/** Larger numbers are not lengths of pages, and JavaScript would write them with an exponent. */
const maxNumber = 1e9;

/** Returns the matrix that an object is. Without a valid one, it is the identity, as readers assume. */
export function readMatrix(object: PDFObject | undefined, resolve: PdfSource['resolve']): Matrix {
  const numbers = readNumbers(object, 6, resolve)?.map((number) => number.asNumber());
  return numbers?.every((number) => Math.abs(number) <= maxNumber) ? (numbers as unknown as Matrix) : identity;
}

/** Returns the smallest upright box around a transformed box. */
export function transformSides([a, b, c, d, e, f]: Matrix, { left, bottom, right, top }: Sides): Sides {
  const corners = [left, right].flatMap((x) =>
    [bottom, top].map((y) => [a * x + c * y + e, b * x + d * y + f] as const),
  );
  const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)];
  return { left: Math.min(...xs), bottom: Math.min(...ys), right: Math.max(...xs), top: Math.max(...ys) };
}
