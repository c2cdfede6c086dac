import { describe, expect, test } from '@jest/globals';
import { Delivery } from '../../common/webhooks/delivery.model.ts';
import { Endpoint } from '../../common/webhooks/endpoint.model.ts';
import { startWebhookScene } from '../support/webhook-scene.ts';
import { startWorld } from '../support/world.ts';

describe('deliveries stored by a worker of a version before late attempts', () => {
  const world = startWorld({ hasTariffs: false });
  const scene = startWebhookScene(world);

  /** As such a worker stores them: without the fields that came later. */
  async function storeFormerly(count: number): Promise<string[]> {
    const mailJobIds = await scene.store(count);
    const formerly = { isLate: '', isManual: '', eventAt: '' } as const;
    await Delivery.collection.updateMany({ mailJobId: { $in: mailJobIds } }, { $unset: formerly });
    return mailJobIds;
  }

  test('given some of them among others, when their endpoint is sent to, then all come, and nothing stays due', async () => {
    const former = await storeFormerly(3);
    const others = await scene.store(120);
    scene.clock.advance(1_000);
    await scene.hand.send(scene.webhookId);
    const received = scene.receiver.received.map(({ body }) => body.mailJobId);
    expect(new Set(received)).toEqual(new Set([...former, ...others]));
    expect(received).toHaveLength(123);
    expect(await Endpoint.findById(scene.webhookId).lean()).not.toHaveProperty('due');
  });

  test('given one alone that fails, when it is tried again, then by its schedule, to its end', async () => {
    await storeFormerly(1);
    scene.receiver.answerWith(() => 500);
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      await scene.hand.send(scene.webhookId);
      const row = await Delivery.findOne({ webhookId: scene.webhookId }).orFail().lean();
      expect(row).toMatchObject({ state: 'due', attempt });
      scene.clock.set(row.nextAttemptAt!);
    }
    scene.receiver.answerWith(() => 200);
    await scene.hand.send(scene.webhookId);
    expect(await Delivery.findOne({ webhookId: scene.webhookId }).lean()).toMatchObject({ state: 'delivered' });
  });
});
