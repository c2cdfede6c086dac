// Level: push
import { describe, expect, test } from '#test/support/jest.ts';
import { startWorld } from '#test/support/product/world.ts';
import { aTestClock, clockStart } from '#test/support/sandbox/test-clock.ts';

describe('GET /v1/sandbox/clocks/{id}', () => {
  const world = startWorld();

  test('a clock shows its time and its state', async () => {
    const clock = await aTestClock(await world.customer());
    expect(await clock.get()).toMatchObject({ clockId: clock.id, now: clockStart, status: 'ready' });
  });
});
