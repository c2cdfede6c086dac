// Level: push
import { plusMs } from '#common/clock.ts';
import { describe, expect, test } from '#test/support/jest.ts';
import { startReportScene } from '#test/support/reports/report-scene.ts';

describe('GET /v1/reports/delivery-times', () => {
  const { get, withLetters, april } = startReportScene();

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

  test('a letter that is posted within a minute counts, as none', async () => {
    const quick = { queuedAt: april, postedAt: plusMs(april, 59_999), status: 'posted', serviceType: 'prior' } as const;
    const sender = await withLetters([{ at: april, ...quick }]);
    const { body } = await get('delivery-times', '', sender);
    expect(body.data).toContainEqual({
      ...{ serviceType: 'prior', stretch: 'queued_to_posted', letters: 1 },
      ...{ p50Minutes: 0, p90Minutes: 0, p95Minutes: 0 },
    });
  });
});
