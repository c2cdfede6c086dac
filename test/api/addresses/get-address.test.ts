// Level: push
import { expect, test } from '#test/support/jest.ts';
import { addBookEntry } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';

const world = startWorld();

test('GET /v1/addresses/{id} returns an entry as POST returned it', async () => {
  const customer = await world.customer();
  const { body } = await addBookEntry(customer, { line2: 'b 3', label: 'Head office' });
  expect(await customer.http.get(`/v1/addresses/${body.id}`)).toMatchObject({ status: 200, body });
  expect(Object.keys((await customer.http.get(`/v1/addresses/${body.id}`)).body)).toEqual(Object.keys(body));
});
