import type { BoxMm } from '#common/documents/sheet/a4.ts';
import type { GreyDrawing } from './draw-grey.ts';
import { boxBetween } from './page-geometry.ts';

/** Pixels of a drawing from `left` and `top` up to, not including, `right` and `bottom`. */
type PixelRange = { left: number; top: number; right: number; bottom: number };

/** Writers round sizes: what lies this close to the border of a box is not inside, in pixels. */
const roundingPixels = 0.05;

/** Returns the pixels of a drawing that lie in a box: all that touch it, or only those wholly inside. */
function pixelsIn(drawing: GreyDrawing, box: BoxMm, kind: 'touching' | 'inside'): PixelRange {
  const { scaleX, scaleY, left, top, width, height } = drawing;
  const outward = kind === 'touching' ? 1 : -1;
  const low = (at: number) => (outward === 1 ? Math.floor(at) : Math.ceil(at - roundingPixels));
  const high = (at: number) => (outward === 1 ? Math.ceil(at) : Math.floor(at + roundingPixels));
  const within = (at: number, most: number) => Math.max(0, Math.min(most, at));
  return {
    left: within(low(box.x * scaleX) - left, width),
    top: within(low(box.y * scaleY) - top, height),
    right: within(high((box.x + box.width) * scaleX) - left, width),
    bottom: within(high((box.y + box.height) * scaleY) - top, height),
  };
}

/** Returns whether a pixel of a box is as dark as `maxLevel` or darker. */
export function hasInk(drawing: GreyDrawing, box: BoxMm, maxLevel: number, kind: 'touching' | 'inside'): boolean {
  const { pixels, stride } = drawing;
  const { left, top, right, bottom } = pixelsIn(drawing, box, kind);
  for (let y = top; y < bottom; y += 1) {
    const row = y * stride;
    for (let at = row + left; at < row + right; at += 1) {
      if ((pixels[at] ?? 255) <= maxLevel) return true;
    }
  }
  return false;
}

/** Returns the smallest box around the ink in a box; null without ink. Only pixels wholly inside count. */
export function boundInk(drawing: GreyDrawing, box: BoxMm, maxLevel: number): BoxMm | null {
  const { pixels, stride, scaleX, scaleY } = drawing;
  const { left, top, right, bottom } = pixelsIn(drawing, box, 'inside');
  let [minX, minY, maxX, maxY] = [right, bottom, -1, -1];
  for (let y = top; y < bottom; y += 1) {
    const row = y * stride;
    for (let x = left; x < right; x += 1) {
      if ((pixels[row + x] ?? 255) > maxLevel) continue;
      if (minY > y) minY = y;
      maxY = y;
      if (x < minX) minX = x;
      if (x > maxX) maxX = x;
    }
  }
  if (maxY < 0) return null;
  const toMmX = (x: number) => (x + drawing.left) / scaleX;
  const toMmY = (y: number) => (y + drawing.top) / scaleY;
  return boxBetween(toMmX(minX), toMmY(minY), toMmX(maxX + 1), toMmY(maxY + 1));
}

/**
 * Splits a long box where it has no ink for `gapMm` along its longer side. Returns at most `most` parts that contain all
 * its ink: with more, the gaps become larger.
 */
export function splitAtGaps(
  drawing: GreyDrawing,
  box: BoxMm,
  { maxLevel, gapMm, most }: { maxLevel: number; gapMm: number; most: number },
): BoxMm[] {
  const { pixels, stride } = drawing;
  const range = pixelsIn(drawing, box, 'touching');
  const isWide = box.width >= box.height;
  const length = isWide ? range.right - range.left : range.bottom - range.top;
  const isInked = new Uint8Array(Math.max(0, length));
  for (let y = range.top; y < range.bottom; y += 1) {
    const row = y * stride;
    for (let x = range.left; x < range.right; x += 1) {
      if ((pixels[row + x] ?? 255) <= maxLevel) isInked[isWide ? x - range.left : y - range.top] = 1;
    }
  }
  const scale = isWide ? drawing.scaleX : drawing.scaleY;
  const origin = isWide ? range.left + drawing.left : range.top + drawing.top;
  return groupRuns(isInked, gapMm * scale, most).map(([from, to]) => {
    const start = (origin + from) / scale;
    const size = (to - from) / scale;
    return isWide ? { ...box, x: start, width: size } : { ...box, y: start, height: size };
  });
}

/** Returns the ranges of marked places, joined where less than `gap` is between them, or more until few are left. */
function groupRuns(isMarked: Uint8Array, gap: number, most: number): [number, number][] {
  const runs: [number, number][] = [];
  for (let i = isMarked.indexOf(1); i >= 0; i = isMarked.indexOf(1, i + 1)) {
    const last = runs.at(-1);
    if (last && i - last[1] < gap) last[1] = i + 1;
    else runs.push([i, i + 1]);
  }
  return runs.length <= most ? runs : groupRuns(isMarked, gap * 2, most);
}
