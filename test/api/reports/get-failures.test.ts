import { describe, expect, test } from '#test/support/jest.ts';
import { startReportScene } from '#test/support/reports/report-scene.ts';

describe('GET /v1/reports/failures', () => {
  const { customer, expectSameCsv, failedBy, get, withLetters, world } = startReportScene();

  test('failures count by reason, the most frequent first', async () => {
    const { body } = await get('failures');
    expect(body.data).toEqual([
      { reason: 'CANCELLED', letters: 2 },
      { reason: 'FILE_UNREADABLE', letters: 1 },
    ]);
    expect(body.totals).toEqual({ letters: 3 });
  });

  test('the letters of another organization and of the other mode are never included', async () => {
    const other = await withLetters([failedBy('CANCELLED', '2026-03-30T10:00:00.000Z')]);
    const live = await world.customer({ organizationId: customer.organizationId, mode: 'live' });
    expect((await get('failures', '', other)).body.totals).toEqual({ letters: 1 });
    expect((await get('failures', '', live)).body.totals).toEqual({ letters: 0 });
  });

  test('the CSV has the numbers of the JSON', async () => {
    await expectSameCsv('failures');
  });
});
