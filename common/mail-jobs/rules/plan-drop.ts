import { type Cutoff, openCutoff } from '#common/calendar.ts';
import { plusMs } from '#common/clock.ts';
import { invalid } from '#common/errors.ts';
import type { CutoffRules, ServiceType } from '#common/services.ts';

export const maxDaysAhead = 180;

export type DropTime = Cutoff & { scheduledDropAt: Date | null };

/**
 * Returns when a letter of a service is posted: the first cutoff at or after the requested time, if there is one, whose
 * batch is still open. Throws VALIDATION_ERROR for a time in the past or more than 180 days ahead.
 */
export function planDrop(
  requested: string | null | undefined,
  { serviceType, now }: { serviceType: ServiceType; now: Date },
  cutoffs: CutoffRules,
): DropTime {
  if (requested == null) return { scheduledDropAt: null, ...openCutoff({ notBefore: now, now, serviceType }, cutoffs) };
  const scheduledDropAt = new Date(requested);
  if (scheduledDropAt < now) throw invalid(['scheduledDropAt'], 'Must not be in the past.');
  if (scheduledDropAt > plusMs(now, maxDaysAhead * 24 * 60 * 60 * 1000)) {
    throw invalid(['scheduledDropAt'], `Must not be more than ${maxDaysAhead} days ahead.`);
  }
  return { scheduledDropAt, ...openCutoff({ notBefore: scheduledDropAt, now, serviceType }, cutoffs) };
}
