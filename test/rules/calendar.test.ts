// Level: unit
import Holidays from 'date-holidays';
import fc from 'fast-check';
import { isWorkingDay, openCutoff, readDay } from '#common/calendar.ts';
import { publicHolidays } from '#common/public-holidays.ts';
import { describe, expect, forAny, test } from '../support/jest.ts';

const dayMs = 86_400_000;

/** The ten legal holidays: Easter Monday, Ascension and Whit Monday move, the others are fixed. */
const easterSundays: Record<number, string> = {
  2024: '2024-03-31',
  2025: '2025-04-20',
  2026: '2026-04-05',
  2027: '2027-03-28',
  2028: '2028-04-16',
  2029: '2029-04-01',
  2030: '2030-04-21',
  2031: '2031-04-13',
};
const fixedDays = ['01-01', '05-01', '07-21', '08-15', '11-01', '11-11', '12-25'];
const daysAfterEaster = [1, 39, 50];

function holidaysByLaw(year: number): string[] {
  const easter = Temporal.PlainDate.from(easterSundays[year] ?? '');
  const moving = daysAfterEaster.map((days) => easter.add({ days }).toString());
  return [...fixedDays.map((day) => `${year}-${day}`), ...moving].sort();
}

/** Returns the instant of a wall-clock time in Brussels. */
const brussels = (text: string) =>
  new Date(Temporal.PlainDateTime.from(text).toZonedDateTime('Europe/Brussels').epochMilliseconds);
const cutoffOn = (day: string) => brussels(`${day}T15:00`);

const timeOf = { standard: '15:00', prior: '15:00', registered: '15:00' };
/** Returns the first cutoff at or after a moment, whose batch is open because all are. */
const cutoffAtOrAfter = (notBefore: Date) =>
  openCutoff({ notBefore, now: new Date(0), serviceType: 'standard' }, { timeOf, leadMinutes: 0 }).dropAt;

describe('public holidays', () => {
  test.each(Object.keys(easterSundays).map(Number))('%i has the ten legal holidays', (year) => {
    expect([...publicHolidays(year).keys()].sort()).toEqual(holidaysByLaw(year));
  });

  test('from 1970 to 2199 they are those of a library', () => {
    const belgium = new Holidays('BE', { types: ['public'], timezone: 'UTC' });
    for (let year = 1970; year < 2200; year += 1) {
      const expected = new Set(belgium.getHolidays(year).map(({ date }) => date.slice(0, 10)));
      expect([...publicHolidays(year).keys()].sort()).toEqual([...expected].sort());
    }
  });

  test('the holidays of a year are computed once', () => {
    expect(publicHolidays(2026)).toBe(publicHolidays(2026));
  });

  const workingDays = ['2026-05-08', '2026-07-11', '2026-09-27', '2026-11-02', '2026-12-26', '2026-04-03'];
  test.each(workingDays)('%s, a day of a community or of custom, is not a public holiday', (day) => {
    expect(publicHolidays(2026).has(day)).toBe(false);
  });

  test.each([
    ['2026-08-17', 'the Monday after a holiday on Saturday'],
    ['2026-11-02', 'the Monday after a holiday on Sunday'],
    ['2027-05-03', 'the Monday after a holiday on Saturday'],
  ])('%s (%s) is a working day', (day) => {
    expect(isWorkingDay(Temporal.PlainDate.from(day))).toBe(true);
  });

  test('weekends and holidays of a year are not working days', () => {
    const start = Temporal.PlainDate.from('2026-01-01');
    const days = Array.from({ length: 365 }, (_, index) => start.add({ days: index }));
    const working = days.filter(isWorkingDay);
    expect(working.every((day) => day.dayOfWeek < 6 && !holidaysByLaw(2026).includes(day.toString()))).toBe(true);
    // 261 days from Monday to Friday, of which 8 are holidays: 15 August and 1 November fall on a weekend.
    expect(working).toHaveLength(253);
  });
});

describe('the next cutoff', () => {
  test.each([
    ['14:59:59.999', 'the same day', '2026-06-10'],
    ['15:00:00.000', 'the same day', '2026-06-10'],
    ['15:00:00.001', 'the next day', '2026-06-11'],
    ['00:00:00.000', 'the same day', '2026-06-10'],
    ['23:59:59.999', 'the next day', '2026-06-11'],
  ])('on a Wednesday at %s the cutoff is %s', (time, _, day) => {
    expect(cutoffAtOrAfter(brussels(`2026-06-10T${time}`))).toEqual(cutoffOn(day));
  });

  test.each([
    ['a Friday after the cutoff', '2026-06-12T15:00:00.001', '2026-06-15'],
    ['a Saturday', '2026-06-13T10:00', '2026-06-15'],
    ['a Sunday night', '2026-06-14T23:59:59.999', '2026-06-15'],
    ['Maundy Thursday after the cutoff', '2026-04-02T16:00', '2026-04-03'],
    ['Good Friday after the cutoff', '2026-04-03T16:00', '2026-04-07'],
    ['Easter Sunday', '2026-04-05T12:00', '2026-04-07'],
    ['Easter Monday', '2026-04-06T12:00', '2026-04-07'],
    ['Ascension Day', '2026-05-14T09:00', '2026-05-15'],
    ['the Friday before Whit Sunday, late', '2026-05-22T15:00:01', '2026-05-26'],
    ['Christmas Eve after the cutoff, Christmas on Friday', '2026-12-24T15:30', '2026-12-28'],
    ['Christmas Day on Saturday', '2027-12-25T08:00', '2027-12-27'],
    ['Christmas Eve after the cutoff, Christmas on Monday', '2028-12-22T18:00', '2028-12-26'],
    ['New Year’s Eve after the cutoff, New Year on Friday', '2026-12-31T15:00:00.001', '2027-01-04'],
    ['the national day on Tuesday', '2026-07-21T10:00', '2026-07-22'],
  ])('on %s the cutoff is on the next working day', (_name, from, day) => {
    expect(cutoffAtOrAfter(brussels(from))).toEqual(cutoffOn(day));
  });

  test.each([
    // The clocks go forward on the last Sunday of March (Easter in 2027) and back on the last Sunday of October.
    ['2026-03-27T15:00:00.001', '2026-03-30T13:00:00.000Z'],
    ['2026-03-29T01:59:59.999', '2026-03-30T13:00:00.000Z'],
    ['2026-03-27T15:00:00.000', '2026-03-27T14:00:00.000Z'],
    ['2026-10-23T15:00:00.001', '2026-10-26T14:00:00.000Z'],
    ['2026-10-23T15:00:00.000', '2026-10-23T13:00:00.000Z'],
    ['2027-03-26T15:00:00.001', '2027-03-30T13:00:00.000Z'],
    ['2027-03-26T15:00:00.000', '2027-03-26T14:00:00.000Z'],
    ['2027-10-29T15:00:00.001', '2027-11-02T14:00:00.000Z'],
    ['2027-10-29T15:00:00.000', '2027-10-29T13:00:00.000Z'],
  ])('from %s, around a clock change, the cutoff is %s', (from, instant) => {
    expect(cutoffAtOrAfter(brussels(from)).toISOString()).toBe(instant);
  });

  test('both passes of a repeated hour have the same cutoff', () => {
    const [first, second] = [new Date('2026-10-25T00:30:00Z'), new Date('2026-10-25T01:30:00Z')];
    expect(cutoffAtOrAfter(first)).toEqual(cutoffAtOrAfter(second));
  });

  test('any instant of 40 years has the first cutoff at or after it', () => {
    const instants = fc.date({ min: new Date('2020-01-01'), max: new Date('2060-01-01'), noInvalidDate: true });
    forAny([instants], (from) => {
      const cutoff = cutoffAtOrAfter(from);
      const local = Temporal.Instant.from(cutoff.toISOString()).toZonedDateTimeISO('Europe/Brussels');
      expect(local.toPlainTime().toString()).toBe('15:00:00');
      expect(isWorkingDay(local.toPlainDate())).toBe(true);
      expect(cutoff.getTime()).toBeGreaterThanOrEqual(from.getTime());
      // No earlier cutoff was skipped, and the cutoff of a cutoff is itself.
      expect(cutoffAtOrAfter(new Date(cutoff.getTime() - 1))).toEqual(cutoff);
      expect(cutoffAtOrAfter(cutoff)).toEqual(cutoff);
      expect(cutoff.getTime() - from.getTime()).toBeLessThanOrEqual(5 * dayMs);
    });
  });

  test('cutoffs are in the order of their instants', () => {
    const instants = fc.integer({ min: Date.UTC(2026, 0), max: Date.UTC(2029, 0) });
    forAny([instants, fc.integer({ min: 0, max: 10 * dayMs })], (from, laterMs) => {
      const [first, second] = [cutoffAtOrAfter(new Date(from)), cutoffAtOrAfter(new Date(from + laterMs))];
      expect(first.getTime()).toBeLessThanOrEqual(second.getTime());
    });
  });
});

describe('days in requests', () => {
  test('days with a clock change run from midnight to midnight in Brussels', () => {
    const spans = ['2026-03-29', '2026-10-25', '2026-11-21'].map((day) => {
      const { startsAt, endsAt } = readDay(day) ?? {};
      return [startsAt?.toISOString(), endsAt?.toISOString()];
    });
    expect(spans).toEqual([
      ['2026-03-28T23:00:00.000Z', '2026-03-29T22:00:00.000Z'],
      ['2026-10-24T22:00:00.000Z', '2026-10-25T23:00:00.000Z'],
      ['2026-11-20T23:00:00.000Z', '2026-11-21T23:00:00.000Z'],
    ]);
  });

  test.each(['2026-02-29', '2026-04-31', '2026-13-01', '1999-12-31', '2026-1-1', '', 'today'])(
    '%p is not a day',
    (text) => expect(readDay(text)).toBeNull(),
  );
});
