import { timeZone } from '#common/calendar.ts';

/** UPU standard S10 forbids to use a number again within 12 months, and recommends 24. */
const reuseMonths = 24;

/**
 * Returns the first day in Brussels on which a number may be used again that was assigned at `assignedAt`: the day after
 * 24 months.
 */
export function reusableFrom(assignedAt: Date): Temporal.PlainDate {
  return dayOf(assignedAt).add({ months: reuseMonths }).add({ days: 1 });
}

/** Returns whether a number that was assigned at `assignedAt` may be used again at `at`. */
export function isReusable(assignedAt: Date, at: Date): boolean {
  return Temporal.PlainDate.compare(reusableFrom(assignedAt), dayOf(at)) <= 0;
}

/** Returns the day of a moment in Brussels. */
export function dayOf(at: Date): Temporal.PlainDate {
  return Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timeZone).toPlainDate();
}
