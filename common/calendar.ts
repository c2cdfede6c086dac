import { invalid } from './errors.ts';
import { publicHolidays } from './public-holidays.ts';
import { type CutoffRules, type ServiceType, serviceTypes } from './services.ts';

/** The time zone of the post office: days, cutoffs and months are those of Brussels. */
export const timeZone = 'Europe/Brussels';
const minuteMs = 60_000;

/** Bounds the search. The longest run of days without a cutoff is four (Easter, or Christmas before a weekend). */
const maxDaysAhead = 14;

/** Returns true for Monday to Friday, except public holidays. */
export function isWorkingDay(day: Temporal.PlainDate): boolean {
  return day.dayOfWeek <= 5 && !publicHolidays(day.year).has(day.toString());
}

/** A deadline of the post office, and when the batch closes whose letters go there by then. */
export type Cutoff = { dropAt: Date; closesAt: Date };

/**
 * Returns the first cutoff of a service at or after `notBefore` whose batch is still open, which means that it closes
 * after `now`. A batch closes `leadMinutes` of elapsed time before its cutoff, also across a clock change.
 */
export function openCutoff(
  { notBefore, now, serviceType }: { notBefore: Date; now: Date; serviceType: ServiceType },
  { timeOf, leadMinutes }: CutoffRules,
): Cutoff {
  const leadMs = leadMinutes * minuteMs;
  // A batch that closes at this very millisecond is closed.
  const firstOpenMs = now.getTime() + leadMs + 1;
  const dropMs = cutoffAtOrAfter(Math.max(notBefore.getTime(), firstOpenMs), timeOf[serviceType]);
  return { dropAt: new Date(dropMs), closesAt: new Date(dropMs - leadMs) };
}

/**
 * The cutoff last found at a time of day. It is the answer for every moment from `fromMs` to itself. Cached because
 * every letter asks for it.
 */
const lastFound = new Map<string, { fromMs: number; cutoffMs: number }>();

/** Returns the first cutoff at or after `fromMs`, in ms since the epoch, for services with the time `HH:MM`. */
function cutoffAtOrAfter(fromMs: number, time: string): number {
  const last = lastFound.get(time);
  if (last && last.fromMs <= fromMs && fromMs <= last.cutoffMs) return last.cutoffMs;
  const cutoffMs = findCutoff(fromMs, time);
  lastFound.set(time, { fromMs, cutoffMs });
  return cutoffMs;
}

function findCutoff(fromMs: number, time: string): number {
  const firstDay = dayAt(new Date(fromMs));
  for (let ahead = 0; ahead <= maxDaysAhead; ahead += 1) {
    const cutoffMs = cutoffOn(firstDay.add({ days: ahead }), time);
    if (cutoffMs !== null && cutoffMs >= fromMs) return cutoffMs;
  }
  const from = new Date(fromMs).toISOString();
  throw new Error(`No cutoff within ${maxDaysAhead} days of ${from}: the holiday calendar is broken`);
}

/**
 * Returns the cutoff of a day in ms since the epoch, or null if the day is not a working day. A time that the clocks
 * skip would be moved forward by the hour ("compatible" in Temporal), but they change on Sundays, without a cutoff.
 */
function cutoffOn(day: Temporal.PlainDate, time: string): number | null {
  return isWorkingDay(day) ? day.toZonedDateTime({ timeZone, plainTime: time }).epochMilliseconds : null;
}

/** Returns the day in Brussels at a moment. */
export function dayAt(at: Date): Temporal.PlainDate {
  return Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timeZone).toPlainDate();
}

/** Days in Brussels, both included. */
export type DayRange = { from: Temporal.PlainDate; to: Temporal.PlainDate };

/** A day of the calendar. A service has no cutoff on a day that is not a working day. */
export type CalendarDay = {
  /** `yyyy-mm-dd` */
  date: string;
  isWorkingDay: boolean;
  /** The English name of the public holiday on this day. */
  holiday: string | null;
  cutoffs: ({ serviceType: ServiceType } & (Cutoff | { dropAt: null; closesAt: null }))[];
};

/** Returns the days of a range with the cutoffs of each service. */
export function listCalendar({ from, to }: DayRange, { timeOf, leadMinutes }: CutoffRules): CalendarDay[] {
  const count = from.until(to).days + 1;
  return Array.from({ length: count }, (_, index) => {
    const day = from.add({ days: index });
    const date = day.toString();
    const cutoffs = serviceTypes.map((serviceType) => {
      const dropMs = cutoffOn(day, timeOf[serviceType]);
      if (dropMs === null) return { serviceType, dropAt: null, closesAt: null };
      return { serviceType, dropAt: new Date(dropMs), closesAt: new Date(dropMs - leadMinutes * minuteMs) };
    });
    return { date, isWorkingDay: isWorkingDay(day), holiday: publicHolidays(day.year).get(date) ?? null, cutoffs };
  });
}

const maxRangeDays = 366;
const defaultDaysAhead = 30;
const lastDay = '2099-12-31';

/**
 * Returns the range that a request names: by default from today in Brussels, and to 30 days later but not beyond 2099.
 * Throws VALIDATION_ERROR if `to` is before `from` or the range has more than 366 days.
 */
export function completeDayRange(
  given: { from?: Temporal.PlainDate | undefined; to?: Temporal.PlainDate | undefined },
  now: Date,
): DayRange {
  const from = given.from ?? dayAt(now);
  const to = given.to ?? defaultEnd(from);
  const { days } = from.until(to);
  if (days < 0) throw invalid(['to'], `Must not be before \`from\`, ${from}.`);
  if (days >= maxRangeDays) throw invalid(['to'], `Must be at most ${maxRangeDays - 1} days after \`from\`, ${from}.`);
  return { from, to };
}

function defaultEnd(from: Temporal.PlainDate): Temporal.PlainDate {
  const [end, last] = [from.add({ days: defaultDaysAhead }), Temporal.PlainDate.from(lastDay)];
  return Temporal.PlainDate.compare(end, last) <= 0 ? end : last;
}

/** Ten years, the time that accounts must be kept. */
const maxMonths = 120;

/** A span of time: `startsAt` is inclusive, `endsAt` exclusive. */
export type Period = { startsAt: Date; endsAt: Date };

/** Returns the day `yyyy-mm-dd` (2000 to 2099), or null if it does not exist. */
export function parseDay(text: string): Temporal.PlainDate | null {
  if (!/^20\d{2}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/.test(text)) return null;
  const [year = 0, month = 0, dayOfMonth = 0] = text.split('-').map(Number);
  const day = Temporal.PlainDate.from({ year, month, day: dayOfMonth });
  // `PlainDate.from` clamps a day that does not exist to the last of its month.
  return day.toString() === text ? day : null;
}

/** Returns the day `yyyy-mm-dd` (2000 to 2099) from midnight to midnight in Brussels, or null if it does not exist. */
export function readDay(text: string): Period | null {
  const day = parseDay(text);
  if (day === null) return null;
  const midnight = (start: Temporal.PlainDate) => new Date(start.toZonedDateTime(timeZone).epochMilliseconds);
  return { startsAt: midnight(day), endsAt: midnight(day.add({ days: 1 })) };
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
  const monthOf = (at: Date) => dayAt(at).toPlainYearMonth();
  const [first, last] = [monthOf(from), monthOf(to)];
  const { months } = first.until(last, { largestUnit: 'months' });
  const count = Math.min(Math.max(months, 0) + 1, maxMonths);
  return Array.from({ length: count }, (_, back) => last.subtract({ months: back }).toString());
}
