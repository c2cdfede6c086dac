import type { PDFObject } from '@cantoo/pdf-lib';
import type { PdfSource } from '../pdf-source.ts';
import type { Sides } from './fit-to-a4.ts';
import { readNumbers } from './source-geometry.ts';

/** The numbers a to f of a PDF matrix: x' = a x + c y + e, y' = b x + d y + f (ISO 32000-1, 8.3.3). */
export type Matrix = readonly [number, number, number, number, number, number];

const identity: Matrix = [1, 0, 0, 1, 0, 0];
/** Larger numbers are no lengths of pages, and JavaScript would write them with an exponent. */
const maxNumber = 1e9;

/** Returns the matrix that an object is. Without a valid one, it is the identity, as readers assume. */
export function readMatrix(object: PDFObject | undefined, resolve: PdfSource['resolve']): Matrix {
  const numbers = readNumbers(object, 6, resolve)?.map((number) => number.asNumber());
  return numbers?.every((number) => Math.abs(number) <= maxNumber) ? (numbers as unknown as Matrix) : identity;
}

/** Returns the matrix that applies `first` and then `second`. */
export function multiply([a, b, c, d, e, f]: Matrix, [A, B, C, D, E, F]: Matrix): Matrix {
  return [a * A + b * C, a * B + b * D, c * A + d * C, c * B + d * D, e * A + f * C + E, e * B + f * D + F];
}

/** Returns the smallest upright box around a transformed box. */
export function transformSides([a, b, c, d, e, f]: Matrix, { left, bottom, right, top }: Sides): Sides {
  const corners = [left, right].flatMap((x) =>
    [bottom, top].map((y) => [a * x + c * y + e, b * x + d * y + f] as const),
  );
  const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)];
  return { left: Math.min(...xs), bottom: Math.min(...ys), right: Math.max(...xs), top: Math.max(...ys) };
}
