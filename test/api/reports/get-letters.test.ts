// Level: push
import { type ReportName, reportKinds } from '#common/reports/report-kinds.ts';
import { describe, expect, test } from '#test/support/jest.ts';
import { issuePaths } from '#test/support/product/customer.ts';
import { startReportScene } from '#test/support/reports/report-scene.ts';

const { customer, expectSameCsv, failedBy, get, withLetters, world } = startReportScene();
const names = Object.keys(reportKinds) as ReportName[];

describe('GET /v1/reports/letters', () => {
  test('letters count by the day of Brussels on which the clocks change, and by status', async () => {
    const { status, body } = await get('letters', '?from=2026-03-28&to=2026-03-30');
    expect(status).toBe(200);
    const none = { queued: 0, printed: 0, posted: 0, delivered: 0, failed: 0 };
    expect(body).toEqual({
      ...{ mode: 'test', timeZone: 'Europe/Brussels', from: '2026-03-28', to: '2026-03-30', interval: 'day' },
      data: [
        { period: '2026-03-28', ...none, posted: 1, total: 1 },
        { period: '2026-03-29', ...none, printed: 1, delivered: 1, total: 2 },
        { period: '2026-03-30', ...none, queued: 1, failed: 2, total: 3 },
      ],
      totals: { queued: 1, printed: 1, posted: 1, delivered: 1, failed: 2, total: 6 },
    });
  });

  test('without days the report ends today and has 30 days, or 12 months', async () => {
    const { body } = await get('letters');
    expect([body.from, body.to, body.data.length, body.totals.total]).toEqual(['2026-03-04', '2026-04-02', 30, 19]);
    const months = (await get('letters', '?interval=month')).body;
    expect([months.from, months.data.length]).toEqual(['2025-05-01', 12]);
    expect(months.data.slice(-2)).toMatchObject([
      { period: '2026-03', total: 18 },
      { period: '2026-04', total: 1 },
    ]);
  });

  test('a leap year is the longest period', async () => {
    const { body } = await get('letters', '?from=2025-04-02&to=2026-04-02');
    expect(body.data).toHaveLength(366);
  });
});

describe('every report', () => {
  /** The totals of a customer with a letter that is paid and one that was cancelled. */
  const totals: Record<ReportName, object> = {
    letters: { queued: 1, failed: 1, total: 2 },
    spend: { letters: 1, spentCents: 100 },
    failures: { letters: 1 },
    'delivery-times': { letters: 0 },
  };

  test.each(names)('%s never includes letters of another organization or of the other mode', async (name) => {
    const other = await withLetters([failedBy('CANCELLED', '2026-03-30T10:00:00.000Z')]);
    const live = await world.customer({ organizationId: customer.organizationId, mode: 'live' });
    const before = (await get(name)).body;
    expect((await get(name, '', other)).body.totals).toMatchObject(totals[name]);
    const { letters, total } = (await get(name, '', live)).body.totals;
    expect(letters ?? total).toBe(0);
    expect((await get(name)).body).toEqual(before);
  });

  test.each(names)('the CSV of %s has the numbers of the JSON', async (name) => {
    await expectSameCsv(name);
  });

  test.each([
    ['?from=2026-03-02&to=2026-03-01', 'to'],
    ['?from=2026-04-03', 'from'],
    ['?from=2025-04-01&to=2026-04-02', 'from'],
    ['?from=1999-12-31', 'from'],
    ['?to=2026-02-30', 'to'],
  ])('the period %s is refused with the path %s', async (query, path) => {
    for (const name of names) {
      const answer = await get(name, query);
      expect([name, answer.status, issuePaths(answer)]).toEqual([name, 400, [path]]);
    }
  });
});
