// Level: push
import { insertBulk } from '#test/support/bulk/a-bulk.ts';
import { describe, expect, openOnce, test } from '#test/support/jest.ts';
import { startWorld } from '#test/support/product/world.ts';

describe('GET /v1/bulk/{id}', () => {
  const world = startWorld();
  const customer = openOnce(() => world.customer());

  test('shows status, columns and numbers', async () => {
    const id = await insertBulk(customer, { totalCents: 442 }, [{}, {}]);
    const { status, body } = await customer.http.get(`/v1/bulk/${id}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      bulkId: id,
      status: 'ready',
      totalCents: 442,
      rows: { total: 2 },
      rowsRemoved: false,
    });
    expect(body.mapping).toMatchObject({ name: ['Naam'], zip: ['Postcode'], country: [] });
  });
});
