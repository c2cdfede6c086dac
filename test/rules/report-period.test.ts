// Level: unit
import fc from 'fast-check';
import { completeReportPeriod, wholeOf } from '#common/reports/report-period.ts';
import { describe, expect, forAny, test } from '../support/jest.ts';

const now = new Date('2026-04-02T12:00:00.000Z');
const day = (text: string) => Temporal.PlainDate.from(text);
const dayOf = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Brussels', dateStyle: 'short' });
const hourMs = 3_600_000;

describe('the period of a report', () => {
  test.each([
    ['2026-03-29', 23],
    ['2026-10-25', 25],
    ['2026-06-01', 24],
  ])('%s has %i hours', (date, hours) => {
    const { startsAt, endsAt } = wholeOf(completeReportPeriod({ from: day(date), to: day(date) }, 'day', now));
    expect((endsAt.getTime() - startsAt.getTime()) / hourMs).toBe(hours);
  });

  test('each moment is in the span that a calendar of Brussels names, and spans have no gaps', () => {
    const first = fc.integer({ min: 0, max: 36_000 }).map((days) => day('2000-01-01').add({ days }));
    const interval = fc.constantFrom('day' as const, 'month' as const);
    forAny(
      [
        first,
        fc.integer({ min: 0, max: 365 }),
        interval,
        fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
      ],
      (from, length, by, part) => {
        const period = completeReportPeriod({ from, to: from.add({ days: length }) }, by, now);
        const { startsAt, endsAt } = wholeOf(period);
        for (const [index, span] of period.spans.entries()) {
          expect(span.startsAt).toEqual(index === 0 ? startsAt : period.spans[index - 1]?.endsAt);
        }
        const at = new Date(startsAt.getTime() + Math.floor(part * (endsAt.getTime() - startsAt.getTime())));
        const own = period.spans.filter((span) => span.startsAt <= at && at < span.endsAt);
        expect(own.map(({ name }) => name)).toEqual([dayOf.format(at).slice(0, by === 'day' ? 10 : 7)]);
      },
    );
  });
});
