// Level: push
import { describe, expect, test } from '#test/support/jest.ts';
import { startWorld } from '#test/support/product/world.ts';
import { aTestClock } from '#test/support/sandbox/test-clock.ts';

describe('GET /v1/sandbox/clocks', () => {
  const world = startWorld();

  test('an organization sees its own clocks, newest first, in pages', async () => {
    const [own, other] = [await world.customer(), await world.customer()];
    const clocks = [await aTestClock(own), await aTestClock(own), await aTestClock(own)];
    await aTestClock(other);
    const first = (await own.http.get('/v1/sandbox/clocks?limit=2')).body;
    const rest = (await own.http.get(`/v1/sandbox/clocks?limit=2&cursor=${first.nextCursor}`)).body;
    const ids = [...first.data, ...rest.data].map(({ clockId }: { clockId: string }) => clockId);
    expect(ids).toEqual(clocks.map(({ id }) => id).reverse());
    expect([first.hasMore, rest.hasMore]).toEqual([true, false]);
  });
});
