import Holidays from 'date-holidays';

/** The daily cutoff of the post office: letters handed in by then are posted the same day. */
const cutoffTime = Temporal.PlainTime.from('15:00');
const timeZone = 'Europe/Brussels';

/** Bounds the search. The longest run of days without a cutoff is four (Easter, or Christmas before a weekend). */
const maxDaysAhead = 14;

const holidays = new Holidays('BE', { languages: ['en'], types: ['public'], timezone: 'UTC' });
const holidaysByYear = new Map<number, ReadonlySet<string>>();

/** Returns the ten Belgian public holidays of a year as ISO dates, without those of a community or region. */
export function publicHolidays(year: number): ReadonlySet<string> {
  const known = holidaysByYear.get(year);
  if (known) return known;
  const days = new Set(holidays.getHolidays(year).map(({ date }) => date.slice(0, 10)));
  holidaysByYear.set(year, days);

  return days;
}

/** Returns true for Monday to Friday, except public holidays. */
export function isWorkingDay(day: Temporal.PlainDate): boolean {
  return day.dayOfWeek <= 5 && !publicHolidays(day.year).has(day.toString());
}

/**
 * The cutoff last found is the answer for every moment from `from` to itself. Cached because every letter asks for it.
 */
let cached = { from: Number.NaN, cutoff: Number.NaN };

/**
 * Returns the first cutoff at or after `from`: 15:00 in Brussels on a working day, also on days with a clock change.
 */
export function cutoffAtOrAfter(from: Date): Date {
  const isCached = cached.from <= from.getTime() && from.getTime() <= cached.cutoff;
  if (!isCached) cached = { from: from.getTime(), cutoff: findCutoff(from).getTime() };
  return new Date(cached.cutoff);
}

function findCutoff(from: Date): Date {
  const start = Temporal.Instant.fromEpochMilliseconds(from.getTime());
  const firstDay = start.toZonedDateTimeISO(timeZone).toPlainDate();
  for (let ahead = 0; ahead <= maxDaysAhead; ahead += 1) {
    const day = firstDay.add({ days: ahead });
    if (!isWorkingDay(day)) continue;
    const cutoff = day.toZonedDateTime({ timeZone, plainTime: cutoffTime }).toInstant();
    if (Temporal.Instant.compare(cutoff, start) >= 0) return new Date(cutoff.epochMilliseconds);
  }
  throw new Error(`No cutoff within ${maxDaysAhead} days of ${from.toISOString()}: the holiday calendar is broken`);
}

/** Ten years, the time that accounts must be kept. */
const maxMonths = 120;

/** A span of time: `startsAt` is inclusive, `endsAt` exclusive. */
export type Period = { startsAt: Date; endsAt: Date };

/** Returns the day `yyyy-mm-dd` (2000 to 2099) from midnight to midnight in Brussels, or null if it does not exist. */
export function readDay(day: string): Period | null {
  if (!/^20\d{2}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/.test(day)) return null;
  const [year = 0, month = 0, dayOfMonth = 0] = day.split('-').map(Number);
  const first = Temporal.PlainDate.from({ year, month, day: dayOfMonth });
  // `PlainDate.from` clamps a day that does not exist to the last of its month.
  if (first.toString() !== day) return null;
  const midnight = (start: Temporal.PlainDate) => new Date(start.toZonedDateTime(timeZone).epochMilliseconds);
  return { startsAt: midnight(first), endsAt: midnight(first.add({ days: 1 })) };
}

/** Returns the month `yyyy-mm` (2000 to 2099) from midnight to midnight in Brussels, or null if it does not exist. */
export function readMonth(month: string): Period | null {
  if (!/^20\d{2}-(0[1-9]|1[0-2])$/.test(month)) return null;
  const first = Temporal.PlainYearMonth.from(month);
  const midnight = (start: Temporal.PlainYearMonth) =>
    new Date(start.toPlainDate({ day: 1 }).toZonedDateTime(timeZone).epochMilliseconds);
  return { startsAt: midnight(first), endsAt: midnight(first.add({ months: 1 })) };
}

/** Returns the months `yyyy-mm` from that of `from` to that of `to` in Brussels time, latest first, at most 120. */
export function monthsBetween(from: Date, to: Date): string[] {
  const monthOf = (at: Date) =>
    Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timeZone).toPlainDate().toPlainYearMonth();
  const [first, last] = [monthOf(from), monthOf(to)];
  const { months } = first.until(last, { largestUnit: 'months' });
  const count = Math.min(Math.max(months, 0) + 1, maxMonths);
  return Array.from({ length: count }, (_, back) => last.subtract({ months: back }).toString());
}
