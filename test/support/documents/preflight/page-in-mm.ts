import type { FindingCode } from '#common/documents/preflight/finding-table.ts';
import type { BoxMm } from '#common/documents/sheet/a4.ts';
import { fill, type GoldenPage } from '../golden/build-golden.ts';

/** What is found on a page, from 1; null for the whole letter. A box is compared within 0.5 mm. */
export type ExpectedFinding = { code: FindingCode; page: number | null; box: BoxMm | null };

/** A PDF, and all findings about its print file when cover pages are added automatically. */
export type PreflightCase = { name: string; bytes: Buffer; pages: number; findings: readonly ExpectedFinding[] };

export const points = (mm: number) => (mm * 72) / 25.4;

/** A4 in points, not rounded. */
export const a4Points = { width: points(210), height: points(297) };

export const boxOf = (x: number, y: number, width: number, height: number): BoxMm => ({ x, y, width, height });

/** Content that fills a box, in millimetres from the top left corner of a page of this height. */
export function ink({ x, y, width, height }: BoxMm, colour = '0 g', pageHeight = 297): string {
  return fill(points(x), points(pageHeight - y - height), points(width), points(height), colour);
}

/** Content in the middle of an A4 page, away from all zones. */
export const middle = ink(boxOf(60, 120, 90, 60));

/** An A4 page with this content. */
export function a4Page(content?: string, others: Omit<GoldenPage, 'content' | 'box'> = {}): GoldenPage {
  return {
    ...others,
    ...(content === undefined ? {} : { content }),
    box: `[0 0 ${a4Points.width} ${a4Points.height}]`,
  };
}

export const found = (code: FindingCode, page: number | null, box: BoxMm | null = null): ExpectedFinding => ({
  code,
  page,
  box,
});
