/** The most grid lines of a chart, including that of zero. */
const maxLines = 7;

/**
 * Returns the values of the grid lines of an axis, in order: whole multiples of 1, 2 or 5 times a power of ten, with zero,
 * so that the first is at most `lowest` and the last at least `highest`. At most nine. Values are whole numbers.
 */
export function niceTicks(lowest: number, highest: number): number[] {
  const [low, high] = [Math.min(0, lowest), Math.max(1, highest)];
  const step = niceStep((high - low) / (maxLines - 2));
  const [first, last] = [Math.floor(low / step), Math.ceil(high / step)];
  return Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step);
}

/** Returns the smallest of 1, 2, 5, 10, 20 … that is at least `wanted`. */
function niceStep(wanted: number): number {
  const power = 10 ** Math.max(0, Math.floor(Math.log10(wanted)));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= wanted) ?? 10 * power;
}
