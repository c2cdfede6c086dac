import { describe, expect, test } from '@jest/globals';
import { changeWebhook } from '../../common/webhooks/change-webhook.ts';
import { Delivery, type DeliveryState } from '../../common/webhooks/delivery.model.ts';
import { Endpoint } from '../../common/webhooks/endpoint.model.ts';
import { gateAgeMs } from '../../common/webhooks/post-gate.ts';
import { Webhook, type WebhookStatus } from '../../common/webhooks/webhook.model.ts';
import { eventually } from '../support/eventually.ts';
import { startWebhookScene } from '../support/webhook-scene.ts';
import { startWorld } from '../support/world.ts';

describe('a webhook that is enabled while a worker is busy with it', () => {
  const world = startWorld({ hasTariffs: false });
  const scene = startWebhookScene(world);

  const turn = async (status: WebhookStatus) => {
    const deps = { checkTargetUrl: async () => [], maxActiveWebhooks: 100 };
    await changeWebhook(scene.customer, scene.webhookId, { status }, deps, scene.clock.now());
  };
  const states = async (): Promise<DeliveryState[]> =>
    (await Delivery.find({ webhookId: scene.webhookId }).sort({ _id: 1 }).lean()).map(({ state }) => state);
  const isDisabled = async () => {
    expect((await Webhook.findById(scene.webhookId).orFail().lean()).status).toBe('disabled');
  };
  const sendAll = async () => {
    while (await scene.hand.send(scene.webhookId));
  };

  test('given a worker that has just disabled it, when its owner enables it and more happens, then that is not discarded', async () => {
    scene.receiver.answerWith(() => 410);
    await scene.store(1);
    await scene.hand.send(scene.webhookId, {
      async afterRecord() {
        if (scene.receiver.received.length > 1) return;
        await eventually(isDisabled, { withinMs: 5_000 });
        await turn('active');
        scene.receiver.answerWith(() => 200);
        await scene.store(1);
      },
    });
    await sendAll();
    expect(await states()).toEqual(['due', 'delivered']);
    expect((await Webhook.findById(scene.webhookId).orFail().lean()).status).toBe('active');
  });

  test('given a worker that has just seen it disabled, when its owner enables it and more happens, then that is not discarded', async () => {
    const answers: ((status: number) => void)[] = [];
    scene.receiver.answerWith(() => new Promise<number>((resolve) => void answers.push(resolve)));
    await scene.store(11);
    const sending = scene.hand.send(scene.webhookId, {
      async afterRecord({ answer }) {
        if (answer !== 'unwanted') return;
        await turn('active');
        await scene.store(1);
        scene.receiver.answerWith(() => 200);
        for (const resolve of answers) resolve(200);
      },
    });
    await eventually(() => expect(answers).toHaveLength(10), { withinMs: 5_000 });
    await Webhook.updateOne({ _id: scene.webhookId }, { status: 'disabled' });
    const knownUntil = performance.now() + gateAgeMs;
    await eventually(() => expect(performance.now()).toBeGreaterThan(knownUntil), { withinMs: 5_000 });
    answers[0]?.(200);
    await sending;
    await sendAll();
    expect((await states()).sort()).toEqual([...Array(11).fill('delivered'), 'discarded']);
    expect(await Delivery.countDocuments({ webhookId: scene.webhookId, state: 'discarded', attempt: 0 })).toBe(1);
  });

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
