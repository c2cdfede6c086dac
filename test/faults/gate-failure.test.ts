import { describe, expect, test } from '@jest/globals';
import mongoose from 'mongoose';
import { Delivery } from '../../common/webhooks/delivery.model.ts';
import { startWorkers } from '../../workers/start-workers.ts';
import { aLetter, aPdf, upload } from '../support/builders.ts';
import { eventually } from '../support/eventually.ts';
import { openReceiver } from '../support/receiver.ts';
import { startWorld } from '../support/world.ts';

const letters = 30;

describe('a worker that cannot ask whether a webhook is still active', () => {
  const world = startWorld();

  test('given thirty deliveries and a database that stops answering in the middle, when it is back, then each was posted once', async () => {
    // given
    const receiver = await openReceiver();
    receiver.answerWith(() => new Promise((resolve) => void setTimeout(() => resolve(200), 700)));
    const customer = await world.customer();
    const { body: webhook } = await customer.http.post('/v1/webhooks', { url: receiver.url, events: ['MAIL_QUEUED'] });
    const fanOut = await startWorkers({ ...world.workersOptions, names: ['fan-out', 'scanner'] });
    const files = [{ s3Key: await upload(customer, await aPdf()) }];
    const letter = await aLetter(customer, { files });
    await Promise.all(Array.from({ length: letters }, () => customer.http.post('/v1/mails', letter)));
    const count = async (state: 'due' | 'delivered') => await Delivery.countDocuments({ webhookId: webhook.id, state });
    await eventually(async () => expect(await count('due')).toBe(letters), { withinMs: 10_000 });
    // The worker reads the webhook for its secret, for its first posts, and again half a second later: that one fails.
    await failReadsOfWebhooks({ skip: 2 });
    // when
    const sending = await startWorkers({ ...world.workersOptions, names: ['webhook-delivery'] });
    await eventually(() => expect(receiver.received.length).toBeGreaterThanOrEqual(10), { withinMs: 10_000 });
    await eventually(async () => expect(await count('delivered')).toBeGreaterThanOrEqual(10), { withinMs: 10_000 });
    await failReadsOfWebhooks('off');
    // then
    await eventually(async () => expect(await count('delivered')).toBe(letters), { withinMs: 20_000 });
    const ids = receiver.received.map(({ headers }) => headers['x-service-delivery']);
    expect([ids.length, new Set(ids).size]).toEqual([letters, letters]);
    await Promise.all([fanOut.close(), sending.close(), receiver.close()]);
  }, 60_000);

  async function failReadsOfWebhooks(mode: { skip: number } | 'off'): Promise<void> {
    await mongoose.connection
      .getClient()
      .db('admin')
      .command({
        configureFailPoint: 'failCommand',
        mode,
        data: {
          failCommands: ['find'],
          namespace: `${mongoose.connection.name}.webhooks`,
          errorCode: 13,
          appName: world.config.redis.queuePrefix,
        },
      });
  }
});
