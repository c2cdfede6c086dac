// Level: push
import { Webhook } from '#common/webhooks/registry/webhook.model.ts';
import { expect, openOnce, test } from '#test/support/jest.ts';
import { startWorld } from '#test/support/product/world.ts';
import { addWebhook } from '#test/support/webhooks/receiver.ts';

const world = startWorld();
const customer = openOnce(() => world.customer());
const storedSecret = async (id: string) => (await Webhook.findById(id).orFail().lean()).secret;

test.each([[-1], [25], [0.5], ['1'], ['']])(
  'POST /v1/webhooks/{id}/rotate-secret with an overlap of %p hours is 400 and keeps the secret',
  async (overlapHours) => {
    const { id, path } = await addWebhook(customer);
    const secret = await storedSecret(id);
    expect((await customer.http.post(`${path}/rotate-secret`, { overlapHours })).status).toBe(400);
    expect(await storedSecret(id)).toBe(secret);
  },
);
