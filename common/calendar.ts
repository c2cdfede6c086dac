import Holidays from 'date-holidays';

/** The post office's day: letters handed in by then go out the same day. */
const cutoffTime = Temporal.PlainTime.from('15:00');
const timeZone = 'Europe/Brussels';

/** The longest run of days without a cutoff is four (Easter, or Christmas before a weekend); this bounds the search. */
const maxDaysAhead = 14;

const holidays = new Holidays('BE', { languages: ['en'], types: ['public'], timezone: 'UTC' });
const holidaysByYear = new Map<number, ReadonlySet<string>>();

/** The ten Belgian public holidays of a year, as ISO dates. Days of a community or region do not count. */
export function publicHolidays(year: number): ReadonlySet<string> {
  const known = holidaysByYear.get(year);
  if (known) return known;
  const days = new Set(holidays.getHolidays(year).map(({ date }) => date.slice(0, 10)));
  holidaysByYear.set(year, days);

  return days;
}

/** Monday to Friday without the public holidays. */
export function isWorkingDay(day: Temporal.PlainDate): boolean {
  return day.dayOfWeek <= 5 && !publicHolidays(day.year).has(day.toString());
}

/** The last answer holds for every moment between its question and itself: it is asked for each letter. */
let known = { from: Number.NaN, cutoff: Number.NaN };

/** The first cutoff at or after `from`: 15:00 in Brussels on a working day, whatever the clocks do there that day. */
export function cutoffAtOrAfter(from: Date): Date {
  const isKnown = known.from <= from.getTime() && from.getTime() <= known.cutoff;
  if (!isKnown) known = { from: from.getTime(), cutoff: findCutoff(from).getTime() };
  return new Date(known.cutoff);
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

/** Ten years: as long as books are kept. */
const maxMonths = 120;

/** A span of time: its first instant, and the first one after it. */
export type Period = { startsAt: Date; endsAt: Date };

/** The day `yyyy-mm-dd` (2000 to 2099) from midnight to midnight in Brussels; null for what is no such day. */
export function readDay(day: string): Period | null {
  if (!/^20\d{2}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/.test(day)) return null;
  const [year = 0, month = 0, dayOfMonth = 0] = day.split('-').map(Number);
  const first = Temporal.PlainDate.from({ year, month, day: dayOfMonth });
  // The calendar has moved a day that the month does not have to its last one.
  if (first.toString() !== day) return null;
  const midnight = (start: Temporal.PlainDate) => new Date(start.toZonedDateTime(timeZone).epochMilliseconds);
  return { startsAt: midnight(first), endsAt: midnight(first.add({ days: 1 })) };
}

/** The month `yyyy-mm` (2000 to 2099) from midnight to midnight in Brussels; null for what is no such month. */
export function readMonth(month: string): Period | null {
  if (!/^20\d{2}-(0[1-9]|1[0-2])$/.test(month)) return null;
  const first = Temporal.PlainYearMonth.from(month);
  const midnight = (start: Temporal.PlainYearMonth) =>
    new Date(start.toPlainDate({ day: 1 }).toZonedDateTime(timeZone).epochMilliseconds);
  return { startsAt: midnight(first), endsAt: midnight(first.add({ months: 1 })) };
}

/** The months `yyyy-mm` from that of `from` to that of `to` by Brussels' calendar, the last first, 120 at most. */
export function monthsBetween(from: Date, to: Date): string[] {
  const monthOf = (at: Date) =>
    Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timeZone).toPlainDate().toPlainYearMonth();
  const [first, last] = [monthOf(from), monthOf(to)];
  const { months } = first.until(last, { largestUnit: 'months' });
  const count = Math.min(Math.max(months, 0) + 1, maxMonths);
  return Array.from({ length: count }, (_, back) => last.subtract({ months: back }).toString());
}
