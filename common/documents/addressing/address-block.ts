import { type BoxMm, pointsPerMm } from '../sheet/a4.ts';
import type { AddressFont, ShapedLine } from './address-font.ts';
import { maxAddressLines } from './address-lines.ts';
import { createLineWrapper, type LineWrapper } from './wrap-line.ts';

/** The lines of an address, set in its box. Lengths are in points from the lower left corner of the box. */
export type AddressBlock = {
  lines: readonly { shaped: ShapedLine; baseline: number }[];
  sizePoints: number;
};

/** Sizes in points. Above `wrapFrom`, a smaller font is better than a wrapped line. */
const largest = 10;
const wrapFrom = 8;
const lastResort = 4.5;
const step = 0.25;

/**
 * Distance of baselines by the size of the font, and what it grows to where there is room. At the least, six lines of
 * 7 points fit into the window for registered letters.
 */
const leading = { least: 1.18, most: 1.3 };
/** Distance from the top of the box where there is room, by the size of the font. */
const mostAbove = 0.4;

/**
 * Sets the lines of an address at the top left of a box, at the largest size from 10 down to 4.5 points at which they fit.
 * From 8 points down, lines that are too long are wrapped at spaces while there are at most six. Returns null when the lines
 * do not fit.
 */
export function fitAddress(lines: readonly string[], box: BoxMm, font: AddressFont): AddressBlock | null {
  const width = box.width * pointsPerMm;
  const height = box.height * pointsPerMm;
  const wrappers = lines.map((line) => createLineWrapper(line, font));
  const whole = wrappers.flatMap((wrap) => wrap(Number.POSITIVE_INFINITY) ?? []);

  for (let size = largest; size >= lastResort; size -= step) {
    const fits = setLines(whole, size, { width, height });
    if (fits) return fits;
    if (size > wrapFrom) continue;
    const wrapped = wrapLines(wrappers, width / size);
    const block = wrapped && setLines(wrapped, size, { width, height });
    if (block) return block;
  }
  return null;
}

function setLines(
  lines: readonly ShapedLine[],
  sizePoints: number,
  { width, height }: { width: number; height: number },
): AddressBlock | null {
  const [first, last] = [lines[0], lines.at(-1)];
  if (!first || !last || lines.length > maxAddressLines) return null;
  const distances = lines.length - 1;
  const needed = (first.above + distances * leading.least + last.below) * sizePoints;
  if (needed > height || lines.some((line) => line.width * sizePoints > width)) return null;

  const room = height - needed;
  const above = Math.min(room, mostAbove * sizePoints);
  const more = Math.min((room - above) / Math.max(1, distances), (leading.most - leading.least) * sizePoints);
  const top = height - above - first.above * sizePoints;
  const distance = leading.least * sizePoints + more;
  const placed = lines.map((shaped, i) => ({ shaped, baseline: top - i * distance }));
  return { lines: placed, sizePoints };
}

/** Returns null when a word is too long or there are too many lines. */
function wrapLines(wrappers: readonly LineWrapper[], maxWidth: number): ShapedLine[] | null {
  const wrapped: ShapedLine[] = [];
  for (const wrap of wrappers) {
    const parts = wrap(maxWidth);
    if (!parts) return null;
    wrapped.push(...parts);
    if (wrapped.length > maxAddressLines) return null;
  }
  return wrapped;
}
