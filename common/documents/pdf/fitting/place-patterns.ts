import { PDFDict, PDFName, type PDFObject } from '@cantoo/pdf-lib';
import { type Matrix, multiply } from '#common/documents/sheet/matrix.ts';
import type { PdfSource } from '../pdf-source.ts';
import { type Placing, toPdfNumber } from './fit-to-a4.ts';
import { readMatrix } from './matrix.ts';

const patternsKey = PDFName.of('Pattern');
const matrixKey = PDFName.of('Matrix');

/** Returns the patterns of a resource dictionary by their names, or null without any. */
export function findPatterns(resources: PDFObject, { resolve }: PdfSource): PDFDict | null {
  const dict = resolve(resources);
  const patterns = dict instanceof PDFDict ? resolve(dict.get(patternsKey)) : undefined;
  return patterns instanceof PDFDict && patterns.keys().length > 0 ? patterns : null;
}

/** Returns the numbers of the matrix of a pattern after its page was placed on a sheet. */
export function placedMatrix(pattern: PDFDict, { scale, dx, dy }: Placing, { resolve }: PdfSource): string {
  const placing: Matrix = [scale, 0, 0, scale, dx, dy];
  return multiply(readMatrix(pattern.get(matrixKey), resolve), placing)
    .map((number) => toPdfNumber(number, 8))
    .join(' ');
}
