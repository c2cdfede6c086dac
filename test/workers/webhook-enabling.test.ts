import { describe, expect, test } from '@jest/globals';
import { changeWebhook } from '../../common/webhooks/change-webhook.ts';
import { Delivery, type DeliveryState } from '../../common/webhooks/delivery.model.ts';
import { Endpoint } from '../../common/webhooks/endpoint.model.ts';
import type { WebhookStatus } from '../../common/webhooks/webhook.model.ts';
import { eventually } from '../support/eventually.ts';
import { startWebhookScene } from '../support/webhook-scene.ts';
import { startWorld } from '../support/world.ts';

describe('a webhook that is enabled while a worker is busy with it', () => {
  const world = startWorld({ hasTariffs: false });
  const scene = startWebhookScene(world);

  const turn = async (status: WebhookStatus) => {
    const deps = { checkTargetUrl: async () => [] };
    await changeWebhook(scene.customer, scene.webhookId, { status }, deps, scene.clock.now());
  };
  const states = async (): Promise<DeliveryState[]> =>
    (await Delivery.find({ webhookId: scene.webhookId }).sort({ _id: 1 }).lean()).map(({ state }) => state);
  const sendAll = async () => {
    while (await scene.hand.send(scene.webhookId));
  };

  test('given ten posts that hang, when it is disabled and enabled, then nobody else takes them, each comes once, and their failure is forgotten', async () => {
    const { promise: mayAnswer, resolve: answer } = Promise.withResolvers<void>();
    scene.receiver.answerWith(async () => {
      await mayAnswer;
      return 500;
    });
    await scene.store(10);
    const sending = scene.hand.send(scene.webhookId);
    await eventually(() => expect(scene.receiver.received).toHaveLength(10), { withinMs: 5_000 });
    await turn('disabled');
    await turn('active');
    // when
    expect(await scene.hand.send(scene.webhookId)).toBe(false);
    answer();
    await sending;
    // then
    expect(scene.receiver.received).toHaveLength(10);
    expect(await states()).toEqual(Array(10).fill('due'));
    expect((await Endpoint.findById(scene.webhookId).orFail().lean()).health?.pausedUntil ?? null).toBeNull();
    scene.receiver.answerWith(() => 200);
    await scene.store(1);
    await sendAll();
    expect(scene.receiver.received).toHaveLength(11);
  });

  test('given an endpoint in its pause, when its webhook is disabled and enabled, then what is stored next goes out at once', async () => {
    scene.receiver.answerWith(() => 500);
    await scene.store(30);
    await scene.hand.send(scene.webhookId);
    expect(await scene.hand.send(scene.webhookId)).toBe(false);
    await turn('disabled');
    await turn('active');
    scene.receiver.answerWith(() => 200);
    const before = scene.receiver.received.length;
    await scene.store(1);
    await sendAll();
    expect(scene.receiver.received).toHaveLength(before + 1);
  });
});
