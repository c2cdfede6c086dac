import { newId } from '#common/ids.ts';
import { describe, expect, test } from '#test/support/jest.ts';
import { startWorld } from '#test/support/product/world.ts';
import { aTestClock, clockStart } from '#test/support/sandbox/test-clock.ts';

describe('GET /v1/sandbox/clocks/{id}', () => {
  const world = startWorld();

  test('a clock is shown to its own organization only', async () => {
    const [own, other] = [await world.customer(), await world.customer()];
    const clock = await aTestClock(own);
    expect(await clock.get()).toMatchObject({ clockId: clock.id, now: clockStart, status: 'ready' });
    expect((await other.http.get(clock.path)).status).toBe(404);
    expect((await own.http.get(`/v1/sandbox/clocks/${newId('clk')}`)).status).toBe(404);
  });
});
