import { cutoffAtOrAfter } from '../calendar.ts';
import { plusMs } from '../clock.ts';
import { invalid } from '../errors.ts';

/** How far ahead a deposit may be planned. */
const maxDaysAhead = 180;

export type DropTime = { scheduledDropAt: Date | null; dropAt: Date };

/**
 * When a letter is to be handed in: at the first cutoff at or after the wanted time, or after now.
 * Throws VALIDATION_ERROR for a time in the past or over 180 days ahead.
 */
export function planDrop(wanted: string | null | undefined, now: Date): DropTime {
  if (wanted == null) return { scheduledDropAt: null, dropAt: cutoffAtOrAfter(now) };
  const scheduledDropAt = new Date(wanted);
  if (scheduledDropAt < now) throw invalid(['scheduledDropAt'], 'Must not be in the past.');
  if (scheduledDropAt > plusMs(now, maxDaysAhead * 24 * 60 * 60 * 1000)) {
    throw invalid(['scheduledDropAt'], `Must not be more than ${maxDaysAhead} days ahead.`);
  }
  return { scheduledDropAt, dropAt: cutoffAtOrAfter(scheduledDropAt) };
}
