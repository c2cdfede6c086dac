import { newId } from '#common/ids.ts';
import { claimDue } from '#common/platform/due-work/due-work.ts';
import { createAttemptRecorder } from '#common/webhooks/deliveries/attempt-recorder.ts';
import { Delivery, type DeliveryRecord } from '#common/webhooks/deliveries/delivery.model.ts';
import { deliveryWork, type EndpointRecord } from '#common/webhooks/endpoints/endpoint.model.ts';
import { wakeEndpoints } from '#common/webhooks/endpoints/wake-endpoints.ts';
import { sendDueDeliveries } from '#common/webhooks/sending/send-due-deliveries.ts';
import { describe, expect, test } from '#test/support/jest.ts';
import { startWorld } from '#test/support/product/world.ts';
import { openReceiver } from '#test/support/webhooks/receiver.ts';

describe('deleting a webhook', () => {
  const world = startWorld();

  test('discards a delivery that a concurrent fan-out stores afterwards', async () => {
    const receiver = await openReceiver();
    const customer = await world.customer();
    const { body: webhook } = await customer.http.post('/v1/webhooks', { url: receiver.url, events: ['MAIL_QUEUED'] });
    const { organizationId, mode } = customer;
    const wanted = { organizationId, mode, endpointId: webhook.id, webhookId: webhook.id };
    const storeOne = async (at: Date) => {
      const times = { nextAttemptAt: at, eventAt: at, createdAt: at, updatedAt: at };
      const about = { event: 'MAIL_QUEUED', mailJobId: newId('mj'), url: receiver.url, body: '{}' };
      const row = {
        ...wanted,
        ...about,
        ...times,
        _id: newId('whd'),
        eventId: newId('evt'),
        state: 'due',
        attempt: 0,
        isLate: false,
        epoch: 0,
      };
      await Delivery.insertMany([row as DeliveryRecord]);
      await wakeEndpoints([wanted], at);
    };
    await storeOne(new Date());
    const deps = { ...world.workersOptions, random: Math.random };
    const recorder = createAttemptRecorder(deps);
    let deletedStatus = 0;
    const deleteAfterFirst = {
      async record(attempt: Parameters<typeof recorder.record>[0]) {
        await recorder.record(attempt);
        if (deletedStatus !== 0) return;
        deletedStatus = (await customer.http.delete(`/v1/webhooks/${webhook.id}`)).status;
        await storeOne(new Date());
      },
    };
    const claim = await claimDue<EndpointRecord>(deliveryWork, webhook.id, new Date());
    if (!claim) throw new Error('The endpoint was not due');
    const { signal } = new AbortController();
    await sendDueDeliveries(claim, { ...deps, recorder: deleteAfterFirst }, { closing: signal, signal });
    const states = (await Delivery.find({ webhookId: webhook.id }).sort({ createdAt: 1 })).map(({ state }) => state);
    expect([deletedStatus, receiver.received.length, states]).toEqual([200, 1, ['delivered', 'discarded']]);
    await receiver.close();
  });
});
