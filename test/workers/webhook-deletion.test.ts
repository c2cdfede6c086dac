import { describe, expect, test } from '@jest/globals';
import { newId } from '../../common/ids.ts';
import { claimDue } from '../../common/platform/due-work.ts';
import { createAttemptRecorder } from '../../common/webhooks/attempt-recorder.ts';
import { Delivery, type DeliveryRecord, type DeliveryState } from '../../common/webhooks/delivery.model.ts';
import { deliveryWork, type EndpointRecord } from '../../common/webhooks/endpoint.model.ts';
import { sendDueDeliveries } from '../../common/webhooks/send-due-deliveries.ts';
import { wakeEndpoints } from '../../common/webhooks/wake-endpoints.ts';
import { startWorkers } from '../../workers/start-workers.ts';
import { aLetter, aPdf, upload } from '../support/builders.ts';
import { eventually } from '../support/eventually.ts';
import { openReceiver } from '../support/receiver.ts';
import { startWorld } from '../support/world.ts';

describe('a webhook that is deleted', () => {
  const world = startWorld();

  test('given twenty deliveries waiting behind ten that hang, when the webhook is deleted, then no post starts after the answer', async () => {
    // given
    const receiver = await openReceiver();
    const { promise: mayAnswer, resolve: answer } = Promise.withResolvers<void>();
    receiver.answerWith(async () => {
      await mayAnswer;
      return 200;
    });
    const customer = await world.customer();
    const webhook = await customer.http.post('/v1/webhooks', { url: receiver.url, events: ['MAIL_QUEUED'] });
    const files = [{ s3Key: await upload(customer, await aPdf()) }];
    const letter = await aLetter(customer, { files });
    const fanOut = await startWorkers({ ...world.workersOptions, names: ['fan-out', 'scanner'] });
    await Promise.all(Array.from({ length: 30 }, () => customer.http.post('/v1/mails', letter)));
    const webhookId: string = webhook.body.id;
    const count = (state: DeliveryState) => Delivery.countDocuments({ webhookId, state });
    await eventually(async () => expect(await count('due')).toBe(30), { withinMs: 10_000 });
    // All thirty wait when the sender comes: it takes them as one batch, and ten of them hang.
    const sending = await startWorkers({ ...world.workersOptions, names: ['webhook-delivery'] });
    await eventually(() => expect(receiver.received).toHaveLength(10), { withinMs: 10_000 });
    expect(await count('sending')).toBe(30);
    // when
    const deleted = await customer.http.delete(`/v1/webhooks/${webhook.body.id}`);
    const answeredAt = Date.now();
    answer();
    // then
    expect(deleted).toMatchObject({ status: 200, body: { id: webhookId, deleted: true } });
    await eventually(async () => expect((await count('due')) + (await count('sending'))).toBe(0), { withinMs: 10_000 });
    expect(receiver.received.filter(({ at }) => at > answeredAt)).toEqual([]);
    expect([await count('delivered'), await count('discarded')]).toEqual([10, 20]);
    expect((await customer.http.delete(`/v1/webhooks/${webhookId}`)).status).toBe(404);
    await Promise.all([fanOut.close(), sending.close(), receiver.close()]);
  }, 40_000);

  test('given a worker between two posts, when the webhook is deleted and a fan-out that began before stores one more, then it is not posted', async () => {
    // given
    const receiver = await openReceiver();
    const customer = await world.customer();
    const { body: webhook } = await customer.http.post('/v1/webhooks', { url: receiver.url, events: ['MAIL_QUEUED'] });
    const { organizationId, mode } = customer;
    const wanted = { organizationId, mode, endpointId: webhook.id, webhookId: webhook.id };
    const storeOne = async (at: Date) => {
      const times = { nextAttemptAt: at, eventAt: at, createdAt: at, updatedAt: at };
      const about = { event: 'MAIL_QUEUED', mailJobId: newId('mj'), url: receiver.url, body: '{}' };
      const row = { ...wanted, ...about, ...times, _id: newId('whd'), eventId: newId('evt'), state: 'due', attempt: 0 };
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
        // when
        deletedStatus = (await customer.http.delete(`/v1/webhooks/${webhook.id}`)).status;
        await storeOne(new Date());
      },
    };
    const claim = await claimDue<EndpointRecord>(deliveryWork, webhook.id, new Date());
    if (!claim) throw new Error('The endpoint was not due');
    const { signal } = new AbortController();
    await sendDueDeliveries(claim, { ...deps, recorder: deleteAfterFirst }, { closing: signal, signal });
    // then
    const states = (await Delivery.find({ webhookId: webhook.id }).sort({ createdAt: 1 })).map(({ state }) => state);
    expect([deletedStatus, receiver.received.length, states]).toEqual([200, 1, ['delivered', 'discarded']]);
    await receiver.close();
  });
});
