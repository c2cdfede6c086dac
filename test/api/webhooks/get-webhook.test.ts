// Level: push
import { expect, test } from '#test/support/jest.ts';
import { startWorld } from '#test/support/product/world.ts';
import { addWebhook } from '#test/support/webhooks/receiver.ts';

const world = startWorld();

test('GET /v1/webhooks/{id} returns a webhook as created, without its secret', async () => {
  const customer = await world.customer();
  const { path, shown } = await addWebhook(customer, { description: 'ERP' });
  const { status, body } = await customer.http.get(path);
  expect([status, body]).toEqual([200, shown]);
});
