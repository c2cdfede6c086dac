// Level: push
import { insertBulk } from '#test/support/bulk/a-bulk.ts';
import { describe, expect, openOnce, test } from '#test/support/jest.ts';
import { startWorld } from '#test/support/product/world.ts';

describe('GET /v1/bulk', () => {
  const world = startWorld();
  const customer = openOnce(() => world.customer());

  test('lists the bulks of the owner in pages, newest first', async () => {
    const ids = [await insertBulk(customer), await insertBulk(customer), await insertBulk(customer)];
    await insertBulk(await world.customer());
    const first = (await customer.http.get('/v1/bulk?limit=2')).body;
    const rest = (await customer.http.get(`/v1/bulk?limit=2&cursor=${encodeURIComponent(first.nextCursor)}`)).body;
    const listed = [...first.data, ...rest.data].map(({ bulkId }: { bulkId: string }) => bulkId);
    expect(listed).toEqual(ids.sort().reverse());
    expect([first.hasMore, rest.hasMore]).toEqual([true, false]);
  });
});
