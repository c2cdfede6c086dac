import type { BoxMm } from '../sheet/a4.ts';

/** Returns whole percents, but never to 100 %, which would not be a change. */
export function formatPercent(scalePercent: number): string {
  const whole = Math.round(scalePercent);
  return whole === 100 ? `${scalePercent} %` : `${whole} %`;
}

/** Sizes in millimetres that have a name. */
const papers: readonly (readonly [name: string, width: number, height: number])[] = [
  ['US Letter', 215.9, 279.4],
  ['US Legal', 215.9, 355.6],
  ['A3', 297, 420],
  ['A5', 148, 210],
];

/** Returns a size in millimetres, with its name where it has one. */
export function formatPaper(width: number, height: number): string {
  const [short, long] = [Math.min(width, height), Math.max(width, height)];
  const known = papers.find(([, ofShort, ofLong]) => Math.abs(short - ofShort) <= 1 && Math.abs(long - ofLong) <= 1);
  return known ? `${known[0]} (${formatSize(width, height)})` : formatSize(width, height);
}

/** Returns a size in whole millimetres. */
export const formatSize = (width: number, height: number) => `${Math.round(width)} x ${Math.round(height)} mm`;

/** Returns where a box is, in millimetres with one digit. */
export function formatPlace({ x, y, width, height }: BoxMm): string {
  const mm = (value: number) => value.toFixed(1);
  return `${mm(width)} x ${mm(height)} mm, ${mm(x)} mm from the left and ${mm(y)} mm from the top`;
}
