import { describe, expect, test } from '#test/support/jest.ts';
import { startReportScene } from '#test/support/reports/report-scene.ts';

describe('GET /v1/reports/delivery-times', () => {
  const { customer, expectSameCsv, failedBy, get, withLetters, world } = startReportScene();

  test('delivery times are percentiles of the nearest rank, by service and stretch', async () => {
    const { body } = await get('delivery-times', '?from=2026-03-20&to=2026-03-20');
    const none = { letters: 0, p50Minutes: null, p90Minutes: null, p95Minutes: null };
    const [toPosted, toDelivered] = [{ stretch: 'queued_to_posted' }, { stretch: 'posted_to_delivered' }];
    expect(body.data).toEqual([
      { serviceType: 'standard', ...toPosted, letters: 1, p50Minutes: 300, p90Minutes: 300, p95Minutes: 300 },
      { serviceType: 'standard', ...toDelivered, ...none },
      { serviceType: 'prior', ...toPosted, ...none },
      { serviceType: 'prior', ...toDelivered, ...none },
      { serviceType: 'registered', ...toPosted, letters: 10, p50Minutes: 300, p90Minutes: 540, p95Minutes: 600 },
      { serviceType: 'registered', ...toDelivered, letters: 10, p50Minutes: 3000, p90Minutes: 5400, p95Minutes: 6000 },
    ]);
    expect(body.totals).toEqual({ letters: 11 });
  });

  test('the letters of another organization and of the other mode are never included', async () => {
    const other = await withLetters([failedBy('CANCELLED', '2026-03-30T10:00:00.000Z')]);
    const live = await world.customer({ organizationId: customer.organizationId, mode: 'live' });
    expect((await get('delivery-times', '', other)).body.totals).toEqual({ letters: 0 });
    expect((await get('delivery-times', '', live)).body.totals).toEqual({ letters: 0 });
  });

  test('the CSV has the numbers of the JSON', async () => {
    await expectSameCsv('delivery-times');
  });
});
