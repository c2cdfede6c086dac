import { describe, expect, test } from '@jest/globals';
import { Delivery } from '../../common/webhooks/delivery.model.ts';
import { eventually } from '../support/eventually.ts';
import { openReceiver } from '../support/receiver.ts';
import { byLevel } from '../support/test-level.ts';
import { aWebhookAt, storeEvents } from '../support/waiting-events.ts';
import { startWorld } from '../support/world.ts';

const rounds = byLevel({ quick: 10, full: 100 });
const each = 60;

describe('webhooks that are deleted under load', () => {
  const world = startWorld({ hasWorkers: true, hasTariffs: false });

  test('given deliveries on their way to many webhooks, when each is deleted in the middle, then none is posted to after its answer', async () => {
    const receiver = await openReceiver();
    receiver.answerWith(async () => {
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 20));
      return 200;
    });
    const customer = await world.customer();
    // The load: others that are sent to all the while.
    const other = await world.customer();
    for (let index = 0; index < 3; index += 1) await aWebhookAt(world, other, `${receiver.url}/other${index}`);
    for (let round = 0; round < rounds; round += 1) {
      const path = `/round${round}`;
      const webhookId = await aWebhookAt(world, customer, new URL(path, receiver.url).href);
      const ours = () => receiver.received.filter((one) => one.path === path);
      await storeEvents(other, each, new Date());
      const ids = await storeEvents(customer, each, new Date());
      world.hints.nudge('fan-out', ids);
      // Somewhere else in every round: before the first post, between, or when most are through.
      const enough = Math.floor((round % 5) * (each / 5));
      await eventually(() => expect(ours().length).toBeGreaterThanOrEqual(enough), { withinMs: 20_000 });
      const deleted = await customer.http.delete(`/v1/webhooks/${webhookId}`);
      const answeredAt = Date.now();
      expect(deleted.status).toBe(200);
      const waiting = { webhookId, state: { $in: ['due' as const, 'sending' as const] } };
      await eventually(async () => expect(await Delivery.exists(waiting)).toBeNull(), { withinMs: 20_000 });
      expect(ours().filter(({ at }) => at > answeredAt)).toEqual([]);
      expect((await customer.http.delete(`/v1/webhooks/${webhookId}`)).status).toBe(404);
    }
    await receiver.close();
  }, 300_000);
});
