import { describe, expect, test } from '#test/support/jest.ts';
import { issuePaths } from '#test/support/product/customer.ts';
import { startReportScene } from '#test/support/reports/report-scene.ts';

describe('GET /v1/reports/letters', () => {
  const { customer, expectSameCsv, failedBy, get, withLetters, world } = startReportScene();

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

  test('the letters of another organization and of the other mode are never included', async () => {
    const other = await withLetters([failedBy('CANCELLED', '2026-03-30T10:00:00.000Z')]);
    const live = await world.customer({ organizationId: customer.organizationId, mode: 'live' });
    expect((await get('letters', '', other)).body.totals.total).toBe(2);
    expect((await get('letters', '', live)).body.totals.total).toBe(0);
    expect((await get('letters')).body.totals.total).toBe(19);
  });

  test.each([
    ['?from=2026-03-02&to=2026-03-01', 'to'],
    ['?from=2026-04-03', 'from'],
    ['?from=2025-04-01&to=2026-04-02', 'from'],
    ['?from=1999-12-31', 'from'],
    ['?to=2026-02-30', 'to'],
  ])('the period %s is refused with the path %s', async (query, path) => {
    const answer = await get('letters', query);
    expect([answer.status, issuePaths(answer)]).toEqual([400, [path]]);
  });

  test('a leap year is the longest period', async () => {
    const { body } = await get('letters', '?from=2025-04-02&to=2026-04-02');
    expect(body.data).toHaveLength(366);
  });

  test('the CSV has the numbers of the JSON', async () => {
    await expectSameCsv('letters');
  });
});
