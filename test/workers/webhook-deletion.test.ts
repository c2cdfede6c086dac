import { describe, expect, test } from '@jest/globals';
import { Delivery } from '../../common/webhooks/delivery.model.ts';
import { aLetter, aPdf, upload } from '../support/builders.ts';
import { eventually } from '../support/eventually.ts';
import { openReceiver } from '../support/receiver.ts';
import { startWorld } from '../support/world.ts';

describe('a webhook that is deleted', () => {
  const world = startWorld({ hasWorkers: true, environment: { SANDBOX_STEP_DELAY_S: '3600' } });

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
    await Promise.all(Array.from({ length: 30 }, () => customer.http.post('/v1/mails', letter)));
    await eventually(() => expect(receiver.received.length).toBeGreaterThan(0), { withinMs: 8_000 });
    await eventually(async () => expect(await Delivery.countDocuments({ webhookId: webhook.body.id })).toBe(30), {
      withinMs: 8_000,
    });
    // when
    const deleted = await customer.http.delete(`/v1/webhooks/${webhook.body.id}`);
    const answeredAt = Date.now();
    const seen = receiver.received.length;
    answer();
    // then
    expect(deleted).toMatchObject({ status: 200, body: { id: webhook.body.id, deleted: true } });
    await eventually(
      async () =>
        expect(await Delivery.countDocuments({ webhookId: webhook.body.id, state: { $in: ['due', 'sending'] } })).toBe(
          0,
        ),
      { withinMs: 10_000 },
    );
    expect(receiver.received.filter(({ at }) => at > answeredAt)).toEqual([]);
    expect(receiver.received).toHaveLength(seen);
    expect(await Delivery.countDocuments({ webhookId: webhook.body.id, state: 'discarded' })).toBe(30 - seen);
    expect((await customer.http.delete(`/v1/webhooks/${webhook.body.id}`)).status).toBe(404);
    await receiver.close();
  }, 40_000);
});
