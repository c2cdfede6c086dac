// Level: push
import { describe, expect, test } from '#test/support/jest.ts';
import { startReportScene } from '#test/support/reports/report-scene.ts';

describe('GET /v1/reports/failures', () => {
  const { get } = startReportScene();

  test('failures count by reason, the most frequent first', async () => {
    const { body } = await get('failures');
    expect(body.data).toEqual([
      { reason: 'CANCELLED', letters: 2 },
      { reason: 'FILE_UNREADABLE', letters: 1 },
    ]);
    expect(body.totals).toEqual({ letters: 3 });
  });
});
