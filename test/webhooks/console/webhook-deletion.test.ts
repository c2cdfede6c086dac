// Level: push
import { newId } from '#common/ids.ts';
import { deleteWebhook } from '#common/webhooks/console/delete-webhook.ts';
import { Delivery, type DeliveryRecord } from '#common/webhooks/deliveries/delivery.model.ts';
import { wakeEndpoints } from '#common/webhooks/endpoints/wake-endpoints.ts';
import { expect, test } from '#test/support/jest.ts';
import { startWebhookScene } from '#test/support/webhooks/webhook-scene.ts';

const scene = startWebhookScene();

test('deleting a webhook discards a delivery that a concurrent fan-out stores afterwards', async () => {
  const { customer, webhookId, clock, dispatcher, receiver } = scene;
  await scene.store(1);
  const row = await Delivery.findOne({ webhookId }).orFail().lean<DeliveryRecord>();
  let deletions = 0;
  await dispatcher.send(webhookId, {
    async afterRecord() {
      if (deletions > 0) return;
      await deleteWebhook(customer, webhookId, clock.now());
      deletions += 1;
      // The fan-out has read the webhook before its deletion.
      await Delivery.insertMany([{ ...row, _id: newId('whd'), eventId: newId('evt'), mailJobId: newId('mj') }]);
      await wakeEndpoints([{ ...customer, endpointId: webhookId, webhookId }], clock.now());
    },
  });
  expect([deletions, receiver.received.length]).toEqual([1, 1]);
  expect(await scene.counts()).toEqual({ delivered: 1, discarded: 1 });
});
