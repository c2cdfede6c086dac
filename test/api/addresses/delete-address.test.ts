// Level: push
import { expect, test } from '#test/support/jest.ts';
import { addBookEntry } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';

const world = startWorld();

test('DELETE /v1/addresses/{id} removes an entry once', async () => {
  const customer = await world.customer();
  const { id } = (await addBookEntry(customer)).body;
  const path = `/v1/addresses/${id}`;
  expect(await customer.http.delete(path)).toMatchObject({ status: 200, body: { id, deleted: true } });
  expect((await customer.http.delete(path)).status).toBe(404);
  expect((await customer.http.get(path)).status).toBe(404);
  expect((await customer.http.get('/v1/addresses')).body.data).toEqual([]);
});
