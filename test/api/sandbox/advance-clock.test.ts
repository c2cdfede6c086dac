// Level: push
import { SandboxClock } from '#common/sandbox/clocks/sandbox-clock.model.ts';
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

  test.each([-1, 90.01])('%d days ahead is refused', async (days) => {
    const clock = await aTestClock(customer);
    const answer = await clock.start(plusDays(clockStart, days));
    expect([answer.status, issuePaths(answer)]).toEqual([400, ['to']]);
    expect((await clock.get()).status).toBe('ready');
  });

  test('a repeat after its end answers as the first request: a client retries when an answer is lost', async () => {
    const clock = await aTestClock(customer);
    const to = plusDays(clockStart, 1);
    const lost = { 'bluejay-sandbox': 'answer-lost' };
    expect((await customer.http.post(`${clock.path}/advance`, { to }, lost)).status).toBe(503);
    await SandboxClock.updateOne({ _id: clock.id }, { $set: { now: new Date(to), target: null } });
    expect(await clock.start(to)).toMatchObject({ status: 200, body: { status: 'ready', now: to, target: null } });
    expect(issuePaths(await clock.start(clockStart))).toEqual(['to']);
  });

  test('a clock goes no further than the limit, however many advances lead there', async () => {
    const clock = await aTestClock(customer);
    const limit = Date.now() + 3_650 * 86_400_000;
    await SandboxClock.updateOne({ _id: clock.id }, { $set: { now: new Date(limit - 3_600_000) } });
    const answer = await clock.start(new Date(limit + 3_600_000).toISOString());
    expect([answer.status, issuePaths(answer)]).toEqual([400, ['to']]);
    expect((await clock.start(new Date(limit - 60_000).toISOString())).status).toBe(200);
  });

  test('the same request several times at once is one advance', async () => {
    const clock = await aTestClock(customer);
    const to = plusDays(clockStart, 1);
    const atOnce = <T>(request: () => Promise<T>) => Promise.all(Array.from({ length: 10 }, request));
    // Opens the connections, so that all requests arrive together.
    await atOnce(clock.get);
    const answers = await atOnce(() => clock.start(to));
    expect(answers.map(({ status, body }) => [status, body.target])).toEqual(Array(10).fill([200, to]));
  });

  test('of two different times at once, one is taken', async () => {
    const clock = await aTestClock(customer);
    const answers = await Promise.all([1, 2, 3, 4].map((days) => clock.start(plusDays(clockStart, days))));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
  });
});
