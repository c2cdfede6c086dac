import type { BoxMm } from '#common/documents/sheet/a4.ts';
import type { GreyPage } from '../draw-grey.ts';

/** Levels of grey of 255 that look different. */
const differentLevels = 32;

type Area = { left: number; top: number; right: number; bottom: number };

function toPixels({ x, y, width, height }: BoxMm, dotsPerInch: number): Area {
  const scale = dotsPerInch / 25.4;
  // A pixel that a box covers in part counts as inside.
  return {
    left: Math.floor(x * scale),
    top: Math.floor(y * scale),
    right: Math.ceil((x + width) * scale),
    bottom: Math.ceil((y + height) * scale),
  };
}

function isIn({ left, top, right, bottom }: Area, column: number, row: number): boolean {
  return column >= left && column < right && row >= top && row < bottom;
}

/** Counts the pixels in which two pages of one size differ: in each box, and outside of all. */
export function countChanges(
  before: GreyPage,
  after: GreyPage,
  boxes: readonly BoxMm[],
  dotsPerInch: number,
): { inBoxes: number[]; outside: number } {
  if (before.width !== after.width || before.height !== after.height) throw new Error('The pages differ in size.');
  const areas = boxes.map((box) => toPixels(box, dotsPerInch));
  const inBoxes = boxes.map(() => 0);
  let outside = 0;
  for (const [i, level] of before.pixels.entries()) {
    if (Math.abs(level - (after.pixels[i] ?? 0)) <= differentLevels) continue;
    const at = areas.findIndex((area) => isIn(area, i % before.width, Math.floor(i / before.width)));
    if (at === -1) outside += 1;
    else inBoxes[at] = (inBoxes[at] ?? 0) + 1;
  }
  return { inBoxes, outside };
}

/** Returns the part of a page within a box, which must be on the page. */
export function cropPage(page: GreyPage, box: BoxMm, dotsPerInch: number): GreyPage {
  const { left, top, right, bottom } = toPixels(box, dotsPerInch);
  if (right > page.width || bottom > page.height) throw new Error('The box is not on the page.');
  const rows = Array.from({ length: bottom - top }, (_, i) => {
    const from = (top + i) * page.width;
    return page.pixels.subarray(from + left, from + right);
  });
  return { width: right - left, height: bottom - top, pixels: Buffer.concat(rows) };
}
