import type { RawPdfium, Scratch } from '#common/documents/pdfium/raw-pdfium.ts';
import { type BoxMm, pointsPerMm } from '#common/documents/sheet/a4.ts';
import type { Matrix } from '#common/documents/sheet/matrix.ts';

/** A page as a reader sees it. */
export type PageGeometry = {
  widthMm: number;
  heightMm: number;
  /** Quarter turns, clockwise. */
  quarterTurns: 0 | 1 | 2 | 3;
  /** From the page's own coordinates to millimetres from the top left corner that a reader sees. */
  toMm: Matrix;
};

/** Largest side that is measured or reported: 100 m. PDF viewers allow 14,400 units, which are 5 m. */
export const maxSideMm = 100_000;
/** A page below this has no area. */
const minSideMm = 0.01;

/** Reads the size of a loaded page, in which `userUnit` is one unit in 1/72 inch. Null when it cannot be measured. */
export function readGeometry(pdfium: RawPdfium, page: number, scratch: Scratch, userUnit: number): PageGeometry | null {
  const mmPerUnit = userUnit / pointsPerMm;
  const widthMm = pdfium._FPDF_GetPageWidthF(page) * mmPerUnit;
  const heightMm = pdfium._FPDF_GetPageHeightF(page) * mmPerUnit;
  if (!isUsable(widthMm) || !isUsable(heightMm)) return null;
  if (!pdfium._FPDF_GetPageBoundingBox(page, scratch.address)) return null;
  const [left = 0, top = 0, right = 0, bottom = 0] = scratch.floats(4);
  if (![left, top, right, bottom].every(Number.isFinite)) return null;
  const quarterTurns = (pdfium._FPDFPage_GetRotation(page) & 3) as PageGeometry['quarterTurns'];
  const turned: Record<PageGeometry['quarterTurns'], Matrix> = {
    0: [1, 0, 0, -1, -left, top],
    1: [0, 1, 1, 0, -bottom, -left],
    2: [-1, 0, 0, 1, right, -bottom],
    3: [0, -1, -1, 0, top, right],
  };
  const [a, b, c, d, e, f] = turned[quarterTurns];
  const toMm: Matrix = [a * mmPerUnit, b * mmPerUnit, c * mmPerUnit, d * mmPerUnit, e * mmPerUnit, f * mmPerUnit];
  return { widthMm, heightMm, quarterTurns, toMm };
}

function isUsable(sideMm: number): boolean {
  return sideMm >= minSideMm && sideMm <= maxSideMm;
}

/** Returns the smallest upright box around a transformed rectangle; null when a number is not finite. */
export function transformBox([a, b, c, d, e, f]: Matrix, { x, y, width, height }: BoxMm): BoxMm | null {
  const corners = [
    [x, y],
    [x + width, y],
    [x, y + height],
    [x + width, y + height],
  ] as const;
  const xs = corners.map(([u, v]) => a * u + c * v + e);
  const ys = corners.map(([u, v]) => b * u + d * v + f);
  const box = boxBetween(Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys));
  return Object.values(box).every(Number.isFinite) ? box : null;
}

export function boxBetween(left: number, top: number, right: number, bottom: number): BoxMm {
  return { x: left, y: top, width: right - left, height: bottom - top };
}

/** Returns what two boxes share; null when that has no area. */
export function intersect(one: BoxMm, other: BoxMm): BoxMm | null {
  const left = Math.max(one.x, other.x);
  const top = Math.max(one.y, other.y);
  const right = Math.min(one.x + one.width, other.x + other.width);
  const bottom = Math.min(one.y + one.height, other.y + other.height);
  return right > left && bottom > top ? boxBetween(left, top, right, bottom) : null;
}

/** Returns the smallest box around both. */
export function unite(one: BoxMm, other: BoxMm): BoxMm {
  return boxBetween(
    Math.min(one.x, other.x),
    Math.min(one.y, other.y),
    Math.max(one.x + one.width, other.x + other.width),
    Math.max(one.y + one.height, other.y + other.height),
  );
}
