import { dayAt, type Period, timeZone } from '#common/calendar.ts';
import { invalid } from '#common/errors.ts';

export const intervals = ['day', 'month'] as const;
export type Interval = (typeof intervals)[number];

/** A day `yyyy-mm-dd` or month `yyyy-mm` in Brussels time. */
export type ReportSpan = Period & { name: string };

/** What a report is about: whole days in Brussels, both included, divided into days or months. At least one span. */
export type ReportPeriod = { from: string; to: string; interval: Interval; spans: readonly ReportSpan[] };

/** The first and last day that a request names. */
export type GivenDays = { from?: Temporal.PlainDate | undefined; to?: Temporal.PlainDate | undefined };

/** A leap year. Bounds how many letters a report reads. */
export const maxReportDays = 366;
const defaultDays = 30;
/** With months, the current one and the eleven before it. */
const defaultMonthsBack = 11;

/**
 * Returns the period that a request names: by default to today in Brussels, and from 29 days before, with months from the
 * first day of the month 11 months before. The first and last month are cut at `from` and `to`. Throws VALIDATION_ERROR
 * if `to` is before `from` or there are more than 366 days.
 */
export function completeReportPeriod(given: GivenDays, interval: Interval, now: Date): ReportPeriod {
  const to = given.to ?? dayAt(now);
  const from = given.from ?? defaultStart(to, interval);
  const { days } = from.until(to);
  if (days < 0 && given.to) throw invalid(['to'], `Must not be before \`from\`, ${from}.`);
  if (days < 0) throw invalid(['from'], `Must not be after today, ${to}, without \`to\`.`);
  if (days >= maxReportDays) {
    throw invalid(
      ['from'],
      `Must be at most ${maxReportDays - 1} days before \`to\`, ${to}. Ask for each year on its own.`,
    );
  }
  return { from: from.toString(), to: to.toString(), interval, spans: listSpans(from, to, interval) };
}

function defaultStart(to: Temporal.PlainDate, interval: Interval): Temporal.PlainDate {
  if (interval === 'day') return to.subtract({ days: defaultDays - 1 });
  return to.with({ day: 1 }).subtract({ months: defaultMonthsBack });
}

/** Temporal computes each midnight, so days on which the clocks change have 23 or 25 hours. */
function listSpans(from: Temporal.PlainDate, to: Temporal.PlainDate, interval: Interval): ReportSpan[] {
  const end = to.add({ days: 1 });
  const spans: ReportSpan[] = [];
  for (let start = from; Temporal.PlainDate.compare(start, end) < 0; ) {
    const following = interval === 'day' ? start.add({ days: 1 }) : start.with({ day: 1 }).add({ months: 1 });
    const next = Temporal.PlainDate.compare(following, end) < 0 ? following : end;
    const name = interval === 'day' ? start.toString() : start.toPlainYearMonth().toString();
    spans.push({ name, startsAt: midnightOf(start), endsAt: midnightOf(next) });
    start = next;
  }
  return spans;
}

const midnightOf = (day: Temporal.PlainDate) => new Date(day.toZonedDateTime(timeZone).epochMilliseconds);

/** Returns the whole period as one span of time. */
export function wholeOf({ spans }: ReportPeriod): Period {
  const [first, last] = [spans[0], spans.at(-1)];
  if (!first || !last) throw new Error('A period has at least one span');
  return { startsAt: first.startsAt, endsAt: last.endsAt };
}
