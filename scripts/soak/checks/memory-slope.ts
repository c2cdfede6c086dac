import { median } from '#scripts/bench/measure.ts';

export type MemorySample = { atS: number; mb: number };

/** Keeps the number of pairs of a run of hours bounded. */
const maxSamples = 1_500;

/**
 * Returns the slope in MB per minute by Theil–Sen: the median of the slopes between all pairs of samples. Up to 29 % of
 * the samples may be outliers, such as the heap before a collection. 0 for fewer than two samples.
 */
export function slopePerMinute(samples: readonly MemorySample[]): number {
  const step = Math.ceil(samples.length / maxSamples) || 1;
  const kept = samples.filter((_, index) => index % step === 0);
  const slopes: number[] = [];
  for (const [index, from] of kept.entries()) {
    for (const to of kept.slice(index + 1)) {
      if (to.atS > from.atS) slopes.push(((to.mb - from.mb) / (to.atS - from.atS)) * 60);
    }
  }
  return median(slopes);
}
