// Level: unit
import Holidays from 'date-holidays';
import fc from 'fast-check';
import { DateTime } from 'luxon';
import { listCalendar, openCutoff } from '#common/calendar.ts';
import { type CutoffRules, serviceTypes } from '#common/services.ts';
import { describe, expect, forAny, test } from '../support/jest.ts';

const zone = 'Europe/Brussels';
const [firstYear, lastYear] = [2026, 2035];
const standard = 'standard';

/** Returns rules in which every service has the same cutoff. */
const rulesOf = (time: string, leadMinutes: number): CutoffRules => ({
  timeOf: { standard: time, prior: time, registered: time },
  leadMinutes,
});
const iso = ({ dropAt, closesAt }: { dropAt: Date; closesAt: Date }) => [dropAt.toISOString(), closesAt.toISOString()];
/** Returns the drop and the closing time for a letter sent at `now`, with the default lead of 90 minutes. */
const open = (now: string, time = '15:00', leadMinutes = 90) =>
  iso(openCutoff({ notBefore: new Date(now), now: new Date(now), serviceType: standard }, rulesOf(time, leadMinutes)));

/** The public holidays by a library as `yyyy-mm-dd`. */
const belgium = new Holidays('BE', { types: ['public'], timezone: 'UTC' });
const holidays = new Set(
  Array.from({ length: lastYear - firstYear + 3 }, (_, index) => firstYear - 1 + index)
    .flatMap((year) => belgium.getHolidays(year))
    .map(({ date }) => date.slice(0, 10)),
);

/** The cutoff of a day by luxon, or null without one. */
function expectedOn(day: DateTime, time: string, leadMinutes: number) {
  if (day.weekday > 5 || holidays.has(day.toISODate() ?? '')) return null;
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  const dropAt = day.set({ hour, minute });
  // Minutes are elapsed time in luxon.
  return { dropAt: dropAt.toJSDate(), closesAt: dropAt.minus({ minutes: leadMinutes }).toJSDate() };
}

/** The open cutoff by definition: walks over the days from `now` and takes the first that fits. */
function expectedOpen(notBefore: Date, now: Date, time: string, leadMinutes: number) {
  const start = DateTime.fromMillis(Math.max(notBefore.getTime(), now.getTime()), { zone }).startOf('day');
  for (let days = 0; days < 20; days += 1) {
    const cutoff = expectedOn(start.plus({ days }), time, leadMinutes);
    if (cutoff && cutoff.closesAt > now && cutoff.dropAt >= notBefore) return cutoff;
  }
  throw new Error('The oracle found no cutoff within 20 days');
}

/** Every day of these years, by luxon. */
const allDays = Array.from({ length: 10 * 365 + 2 }, (_, index) =>
  DateTime.fromObject({ year: firstYear }, { zone }).plus({ days: index }),
);

const padded = (value: number) => String(value).padStart(2, '0');
const times = fc.integer({ min: 0, max: 1_439 }).map((at) => `${padded(Math.floor(at / 60))}:${padded(at % 60)}`);
const leads = fc.oneof(fc.constantFrom(0, 90, 1_440), fc.integer({ min: 0, max: 1_440 }));
const moments = fc.integer({ min: Date.UTC(firstYear, 0), max: Date.UTC(lastYear + 1, 0) - 1 });
const dayMs = 86_400_000;

describe('the open cutoff, against luxon, from 2026 to 2035', () => {
  test('at any moment it is the first one that closes later and is not before the requested time', () => {
    const delays = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 40 * dayMs }));
    forAny([moments, delays, times, leads], (nowMs, delayMs, time, leadMinutes) => {
      const [now, notBefore] = [new Date(nowMs), new Date(nowMs + delayMs)];
      const found = openCutoff({ notBefore, now, serviceType: standard }, rulesOf(time, leadMinutes));
      expect(found).toEqual(expectedOpen(notBefore, now, time, leadMinutes));
    });
  });

  test('it changes at the very millisecond at which a batch closes, and at no other', () => {
    forAny([moments, times, leads], (nowMs, time, leadMinutes) => {
      const rules = rulesOf(time, leadMinutes);
      const openAt = (ms: number) =>
        openCutoff({ notBefore: new Date(ms), now: new Date(ms), serviceType: standard }, rules);
      const found = openAt(nowMs);
      const closesMs = found.closesAt.getTime();
      expect(openAt(closesMs - 1)).toEqual(found);
      const next = openAt(closesMs);
      expect(next).toEqual(expectedOpen(found.closesAt, found.closesAt, time, leadMinutes));
      expect(next.dropAt.getTime()).toBeGreaterThan(found.dropAt.getTime());
    });
  });

  test('the services do not disturb each other', () => {
    const services = fc.constantFrom(...serviceTypes);
    const offsets = fc.integer({ min: -2 * dayMs, max: 2 * dayMs });
    forAny([moments, fc.array(fc.tuple(services, offsets), { minLength: 2, maxLength: 8 })], (nowMs, requests) => {
      const timeOf = { standard: '15:00', prior: '09:30', registered: '14:30' };
      for (const [serviceType, offsetMs] of requests) {
        const now = new Date(nowMs + offsetMs);
        const found = openCutoff({ notBefore: now, now, serviceType }, { timeOf, leadMinutes: 90 });
        expect(found).toEqual(expectedOpen(now, now, timeOf[serviceType], 90));
      }
    });
  });

  test.each([
    ['15:00', 90],
    ['00:00', 0],
    ['00:30', 90],
    ['02:30', 1_440],
    ['23:59', 1],
  ])('the calendar of every day with the cutoff %s and a lead of %i min is that of luxon', (time, leadMinutes) => {
    const [from, to] = [Temporal.PlainDate.from(`${firstYear}-01-01`), Temporal.PlainDate.from(`${lastYear}-12-31`)];
    const days = listCalendar({ from, to }, rulesOf(time, leadMinutes));
    // 2028 and 2032 are leap years.
    expect(days).toHaveLength(10 * 365 + 2);
    const none = { dropAt: null, closesAt: null };
    const shown = days.map(({ holiday, ...day }) => ({ ...day, holiday: holiday === null ? null : typeof holiday }));
    const expected = allDays.map((each) => {
      const cutoff = expectedOn(each, time, leadMinutes);
      return {
        date: each.toISODate() ?? '',
        isWorkingDay: cutoff !== null,
        cutoffs: serviceTypes.map((serviceType) => ({ serviceType, ...(cutoff ?? none) })),
        holiday: holidays.has(each.toISODate() ?? '') ? 'string' : null,
      };
    });
    // The first day that differs, found by its text: a matcher for each day costs more than the calendar.
    const differs = shown.findIndex((day, index) => JSON.stringify(day) !== JSON.stringify(expected[index]));
    expect([differs, shown[differs]]).toEqual([-1, expected[differs]]);
  });
});

describe('the batch of a cutoff', () => {
  test.each([
    ['a lead of 90 min', '2026-06-10T11:29:59.999Z', 90, '2026-06-10T13:00:00.000Z', '2026-06-10T11:30:00.000Z'],
    ['the closing itself', '2026-06-10T11:30:00.000Z', 90, '2026-06-11T13:00:00.000Z', '2026-06-11T11:30:00.000Z'],
    ['a lead of 0, 1 ms before', '2026-06-10T12:59:59.999Z', 0, '2026-06-10T13:00:00.000Z', '2026-06-10T13:00:00.000Z'],
    ['a lead of 0, the cutoff', '2026-06-10T13:00:00.000Z', 0, '2026-06-11T13:00:00.000Z', '2026-06-11T13:00:00.000Z'],
    ['a lead of a day', '2026-06-09T12:59:59.999Z', 1_440, '2026-06-10T13:00:00.000Z', '2026-06-09T13:00:00.000Z'],
    [
      'a day, at its closing',
      '2026-06-09T13:00:00.000Z',
      1_440,
      '2026-06-11T13:00:00.000Z',
      '2026-06-10T13:00:00.000Z',
    ],
    // The batch of Monday closes on Sunday, so a letter of Sunday night goes on Tuesday.
    [
      'a day, over a weekend',
      '2026-06-14T13:00:00.000Z',
      1_440,
      '2026-06-16T13:00:00.000Z',
      '2026-06-15T13:00:00.000Z',
    ],
  ])('with %s, at %s (lead %i min) the cutoff is %s and closes at %s', (_name, now, lead, dropAt, closesAt) => {
    expect(open(now, '15:00', lead)).toEqual([dropAt, closesAt]);
  });

  test.each([
    // 00:30 on Thursday in Brussels is 22:30 UTC on Wednesday, and closes at 23:00 in Brussels.
    ['2026-06-10T20:59:59.999Z', '2026-06-10T22:30:00.000Z', '2026-06-10T21:00:00.000Z'],
    ['2026-06-10T21:00:00.000Z', '2026-06-11T22:30:00.000Z', '2026-06-11T21:00:00.000Z'],
    // The batch of Monday 00:30 closes on Sunday at 23:00.
    ['2026-06-14T20:59:59.999Z', '2026-06-14T22:30:00.000Z', '2026-06-14T21:00:00.000Z'],
    ['2026-06-14T21:00:00.000Z', '2026-06-15T22:30:00.000Z', '2026-06-15T21:00:00.000Z'],
  ])('with a cutoff at 00:30 and 90 min, at %s it is %s and closes the day before at %s', (now, dropAt, closesAt) => {
    expect(open(now, '00:30')).toEqual([dropAt, closesAt]);
  });

  test.each([
    // 2026 ends on a Thursday, and the first working day of 2027 is Monday, 4 January.
    ['2026-12-31T12:29:59.999Z', '15:00', '2026-12-31T14:00:00.000Z', '2026-12-31T12:30:00.000Z'],
    ['2026-12-31T12:30:00.000Z', '15:00', '2027-01-04T14:00:00.000Z', '2027-01-04T12:30:00.000Z'],
    // 2027 ends on a Friday. 2028 begins on a Saturday, so the batch of Monday 00:30 closes on Sunday, 2 January.
    ['2027-12-31T12:00:00.000Z', '00:30', '2028-01-02T23:30:00.000Z', '2028-01-02T22:00:00.000Z'],
    // 2030 ends on a Tuesday, and the batch of Thursday 00:30 closes on New Year’s Day.
    ['2030-12-31T12:00:00.000Z', '00:30', '2031-01-01T23:30:00.000Z', '2031-01-01T22:00:00.000Z'],
  ])('on 31 December, at %s with the cutoff %s, it is %s and closes at %s', (now, time, dropAt, closesAt) => {
    expect(open(now, time)).toEqual([dropAt, closesAt]);
  });
});

describe('the two days with a clock change', () => {
  /** The Sundays on which the clocks change in Belgium, found by luxon. */
  const changes = allDays.filter((day) => day.offset !== day.plus({ days: 1 }).offset);

  test('they are Sundays without a cutoff, so none is at a time that is skipped or repeated', () => {
    expect(changes).toHaveLength(20);
    for (const change of changes) {
      const day = Temporal.PlainDate.from(change.toISODate() ?? '');
      const [shown] = listCalendar({ from: day, to: day }, rulesOf('02:30', 90));
      const cutoffs = serviceTypes.map((serviceType) => ({ serviceType, dropAt: null, closesAt: null }));
      expect(shown).toEqual({ date: day.toString(), isWorkingDay: false, holiday: null, cutoffs });
    }
  });

  test.each([
    // In spring the Sunday lasts 23 h: a day before Monday 02:30 (00:30 UTC) is Sunday 01:30.
    ['2026-03-28T12:00:00.000Z', 1_440, '2026-03-30T00:30:00.000Z', '2026-03-29T00:30:00.000Z'],
    ['2026-03-29T00:29:59.999Z', 1_440, '2026-03-30T00:30:00.000Z', '2026-03-29T00:30:00.000Z'],
    ['2026-03-29T00:30:00.000Z', 1_440, '2026-03-31T00:30:00.000Z', '2026-03-30T00:30:00.000Z'],
    // In autumn it lasts 25 h: a day before Monday 02:30 (01:30 UTC) is the second 02:30 of Sunday.
    ['2026-10-25T00:30:00.000Z', 1_440, '2026-10-26T01:30:00.000Z', '2026-10-25T01:30:00.000Z'],
    ['2026-10-25T01:29:59.999Z', 1_440, '2026-10-26T01:30:00.000Z', '2026-10-25T01:30:00.000Z'],
    ['2026-10-25T01:30:00.000Z', 1_440, '2026-10-27T01:30:00.000Z', '2026-10-26T01:30:00.000Z'],
  ])(
    'at %s with the cutoff 02:30 and %i min, it is %s and closes after elapsed time at %s',
    (now, lead, drop, closes) => {
      expect(open(now, '02:30', lead)).toEqual([drop, closes]);
    },
  );

  test('on the working days around them the cutoff is at 15:00 by the clock', () => {
    expect(open('2026-03-27T08:00:00.000Z')).toEqual(['2026-03-27T14:00:00.000Z', '2026-03-27T12:30:00.000Z']);
    expect(open('2026-03-29T08:00:00.000Z')).toEqual(['2026-03-30T13:00:00.000Z', '2026-03-30T11:30:00.000Z']);
    expect(open('2026-10-23T08:00:00.000Z')).toEqual(['2026-10-23T13:00:00.000Z', '2026-10-23T11:30:00.000Z']);
    expect(open('2026-10-25T08:00:00.000Z')).toEqual(['2026-10-26T14:00:00.000Z', '2026-10-26T12:30:00.000Z']);
  });
});
