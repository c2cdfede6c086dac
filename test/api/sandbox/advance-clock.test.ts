import { describe, expect, openOnce, test } from '#test/support/jest.ts';
import { issuePaths } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';
import { aTestClock, clockStart, plusDays } from '#test/support/sandbox/test-clock.ts';

describe('POST /v1/sandbox/clocks/{id}/advance', () => {
  // No workers: an advance does not end.
  const world = startWorld();
  const customer = openOnce(() => world.customer());

  test('an advance is shown until it ends: its repeat is the same, another time a conflict', async () => {
    const clock = await aTestClock(customer);
    const to = plusDays(clockStart, 90);
    const first = await clock.start(to);
    expect(first).toMatchObject({ status: 200, body: { status: 'advancing', target: to, now: clockStart } });
    expect((await clock.start(to)).body).toEqual(first.body);
    expect(await clock.start(plusDays(to, 1))).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
  });

  test.each([0, -1, 90.01])('%d days ahead is refused', async (days) => {
    const clock = await aTestClock(customer);
    const answer = await clock.start(plusDays(clockStart, days));
    expect([answer.status, issuePaths(answer)]).toEqual([400, ['to']]);
    expect((await clock.get()).status).toBe('ready');
  });

  test('of two different times at once, one is taken', async () => {
    const clock = await aTestClock(customer);
    const answers = await Promise.all([1, 2, 3, 4].map((days) => clock.start(plusDays(clockStart, days))));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
  });

  test('the clock of another organization is not found', async () => {
    const clock = await aTestClock(customer);
    const other = await world.customer();
    expect((await other.http.post(`${clock.path}/advance`, { to: plusDays(clockStart, 1) })).status).toBe(404);
  });
});
