import { describe, expect, test } from '@jest/globals';
import { Delivery, type DeliveryState } from '../../common/webhooks/delivery.model.ts';
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
});
