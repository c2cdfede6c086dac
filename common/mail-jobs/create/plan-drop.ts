import { cutoffAtOrAfter } from '#common/calendar.ts';
import { plusMs } from '#common/clock.ts';
import { invalid } from '#common/errors.ts';

export const maxDaysAhead = 180;

export type DropTime = { scheduledDropAt: Date | null; dropAt: Date };

/**
 * Returns when a letter is posted: the first cutoff at or after the requested time, or at or after now without one.
 * Throws VALIDATION_ERROR for a time in the past or more than 180 days ahead.
 */
export function planDrop(requested: string | null | undefined, now: Date): DropTime {
  if (requested == null) return { scheduledDropAt: null, dropAt: cutoffAtOrAfter(now) };
  const scheduledDropAt = new Date(requested);
  if (scheduledDropAt < now) throw invalid(['scheduledDropAt'], 'Must not be in the past.');
  if (scheduledDropAt > plusMs(now, maxDaysAhead * 24 * 60 * 60 * 1000)) {
    throw invalid(['scheduledDropAt'], `Must not be more than ${maxDaysAhead} days ahead.`);
  }
  return { scheduledDropAt, dropAt: cutoffAtOrAfter(scheduledDropAt) };
}
