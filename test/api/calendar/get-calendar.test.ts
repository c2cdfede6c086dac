// Level: push
import { describe, expect, openOnce, standingClock, test } from '#test/support/jest.ts';
import { aSender, issuePaths } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';

type Day = { date: string; holiday: string | null; cutoffs: { serviceType: string; dropAt: string | null }[] };

describe('GET /v1/calendar', () => {
  const clock = standingClock();
  const world = startWorld({ clock, environment: { CUTOFF_TIMES: '15:00,registered=14:30' } });
  const customer = openOnce(() => aSender(world));
  const get = (query: string) => customer.http.get(`/v1/calendar${query}`);
  const datesOf = ({ body }: { body: { data: Day[] } }) => body.data.map(({ date }) => date);

  const none = { dropAt: null, closesAt: null };
  const noCutoffs = ['standard', 'prior', 'registered'].map((serviceType) => ({ serviceType, ...none }));

  test('a holiday, a weekend and a working day show the cutoffs of each service and their closing', async () => {
    const { status, body } = await get('?from=2026-05-01&to=2026-05-04');
    expect(status).toBe(200);
    const at15 = { dropAt: '2026-05-04T13:00:00.000Z', closesAt: '2026-05-04T11:30:00.000Z' };
    const at1430 = { dropAt: '2026-05-04T12:30:00.000Z', closesAt: '2026-05-04T11:00:00.000Z' };
    expect(body).toEqual({
      timeZone: 'Europe/Brussels',
      leadMinutes: 90,
      data: [
        { date: '2026-05-01', isWorkingDay: false, holiday: 'Labour Day', cutoffs: noCutoffs },
        { date: '2026-05-02', isWorkingDay: false, holiday: null, cutoffs: noCutoffs },
        { date: '2026-05-03', isWorkingDay: false, holiday: null, cutoffs: noCutoffs },
        {
          date: '2026-05-04',
          isWorkingDay: true,
          holiday: null,
          cutoffs: [
            { serviceType: 'standard', ...at15 },
            { serviceType: 'prior', ...at15 },
            { serviceType: 'registered', ...at1430 },
          ],
        },
      ],
    });
  });

  test('the public holidays of a year have their English names', async () => {
    const { body } = await get('?from=2026-01-01&to=2026-12-31');
    const named = body.data.flatMap(({ date, holiday }: Day) => (holiday === null ? [] : [`${date} ${holiday}`]));
    expect(named).toEqual([
      "2026-01-01 New Year's Day",
      '2026-04-06 Easter Monday',
      '2026-05-01 Labour Day',
      '2026-05-14 Ascension Day',
      '2026-05-25 Whit Monday',
      '2026-07-21 National Holiday',
      '2026-08-15 Assumption',
      "2026-11-01 All Saints' Day",
      '2026-11-11 Armistice Day',
      '2026-12-25 Christmas Day',
    ]);
  });

  test('without days it lists 31, from today in Brussels', async () => {
    // Midnight in Brussels is 22:00 UTC in summer and 23:00 UTC in winter.
    const spans = [
      ['2026-06-09T21:59:59.999Z', '2026-06-09', '2026-07-09'],
      ['2026-06-09T22:00:00.000Z', '2026-06-10', '2026-07-10'],
      ['2026-12-31T22:59:59.999Z', '2026-12-31', '2027-01-30'],
      ['2026-12-31T23:00:00.000Z', '2027-01-01', '2027-01-31'],
    ] as const;
    for (const [now, first, last] of spans) {
      clock.set(new Date(now));
      const dates = datesOf(await get(''));
      expect([dates.length, dates[0], dates.at(-1)]).toEqual([31, first, last]);
    }
  });

  test('one of the two days is enough', async () => {
    clock.set(new Date('2026-06-10T10:00:00.000Z'));
    const [onlyFrom, onlyTo] = [datesOf(await get('?from=2030-02-01')), datesOf(await get('?to=2026-06-11'))];
    expect([onlyFrom.length, onlyFrom[0], onlyFrom.at(-1)]).toEqual([31, '2030-02-01', '2030-03-03']);
    expect(onlyTo).toEqual(['2026-06-10', '2026-06-11']);
    expect(datesOf(await get('?from=2099-12-30'))).toEqual(['2099-12-30', '2099-12-31']);
  });

  test('366 days are listed, and one more is refused', async () => {
    // 2028 is a leap year.
    const dates = datesOf(await get('?from=2028-01-01&to=2028-12-31'));
    expect([dates.length, new Set(dates).size]).toEqual([366, 366]);
    const answer = await get('?from=2028-01-01&to=2029-01-01');
    expect([answer.status, answer.body.code, issuePaths(answer)]).toEqual([400, 'VALIDATION_ERROR', ['to']]);
  });

  test.each([
    ['?from=2026-05-02&to=2026-05-01', ['to']],
    // Today is 10 June 2026.
    ['?to=2026-06-09', ['to']],
    ['?from=2026-02-29', ['from']],
    ['?from=1999-12-31&to=2100-01-01', ['from', 'to']],
    ['?from=2026-5-1', ['from']],
    ['?from=2026-05-01T00:00:00Z', ['from']],
    ['?from=&to=tomorrow', ['from', 'to']],
    ['?from=2026-05-01&from=2026-05-02', ['from']],
    ['?until=2026-05-01', ['until']],
  ])('%s is refused with 400 and names %j', async (query, paths) => {
    clock.set(new Date('2026-06-10T10:00:00.000Z'));
    const answer = await get(query);
    expect([answer.status, answer.body.code, issuePaths(answer)]).toEqual([400, 'VALIDATION_ERROR', paths]);
  });

  test.each(['standard', 'registered'])(
    'a %s letter goes with the first open cutoff that is listed',
    async (service) => {
      // Saturday before Whit Monday, which is a holiday.
      clock.set(new Date('2026-05-23T10:00:00.000Z'));
      const { body } = await get('?from=2026-05-23&to=2026-05-29');
      const cutoffs: Day['cutoffs'] = body.data.flatMap((day: Day) => day.cutoffs);
      const first = cutoffs.find(({ serviceType, dropAt }) => serviceType === service && dropAt !== null);
      const letter = await customer.send({ serviceType: service, dryRun: true });
      expect([letter.status, letter.body.dropAt]).toEqual([200, first?.dropAt]);
    },
  );
});
