// Level: ci
import { Delivery } from '#common/webhooks/deliveries/delivery.model.ts';
import { byLevel, eventually, expect, test } from '#test/support/jest.ts';
import { startWorld } from '#test/support/product/world.ts';
import { openReceiver } from '#test/support/webhooks/receiver.ts';
import { aWebhookAt, storeEvents } from '#test/support/webhooks/webhook-scene.ts';

const rounds = byLevel({ quick: 10, full: 30, long: 100 });
const each = 60;

const world = startWorld({ hasWorkers: true, hasTariffs: false });

test('of a webhook that is deleted under load, no post starts after the answer to the deletion', async () => {
  const receiver = await openReceiver();
  receiver.answerWith(async () => {
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 20));
    return 200;
  });
  const customer = await world.customer();
  // Load: other webhooks get events all the time.
  const other = await world.customer();
  for (let index = 0; index < 3; index += 1) await aWebhookAt(world, other, `${receiver.url}/other${index}`);
  for (let round = 0; round < rounds; round += 1) {
    const path = `/round${round}`;
    const webhookId = await aWebhookAt(world, customer, new URL(path, receiver.url).href);
    const ours = () => receiver.received.filter((received) => received.path === path);
    await storeEvents(other, each, new Date());
    const ids = await storeEvents(customer, each, new Date());
    world.hints.notify('fan-out', ids);
    // Vary the moment by round: before the first post, in between, or near the end.
    const enough = Math.floor((round % 5) * (each / 5));
    await eventually(() => expect(ours().length).toBeGreaterThanOrEqual(enough));
    const deleted = await customer.http.delete(`/v1/webhooks/${webhookId}`);
    const answeredAt = Date.now();
    expect(deleted.status).toBe(200);
    const waiting = { webhookId, state: { $in: ['due' as const, 'sending' as const] } };
    await eventually(async () => expect(await Delivery.exists(waiting)).toBeNull());
    expect(ours().filter(({ at }) => at > answeredAt)).toEqual([]);
    expect((await customer.http.delete(`/v1/webhooks/${webhookId}`)).status).toBe(404);
  }
  await receiver.close();
});
