import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { changeWebhook } from '../../common/webhooks/change-webhook.ts';
import { Delivery } from '../../common/webhooks/delivery.model.ts';
import { Endpoint } from '../../common/webhooks/endpoint.model.ts';
import { Webhook } from '../../common/webhooks/webhook.model.ts';
import { eventually } from '../support/eventually.ts';
import { openReceiver, type Receiver } from '../support/receiver.ts';
import { handSender } from '../support/waiting-events.ts';
import { startWebhookScene } from '../support/webhook-scene.ts';
import { startWorld } from '../support/world.ts';

describe('a webhook that gets another url', () => {
  const world = startWorld({ hasTariffs: false });
  const scene = startWebhookScene(world);
  let next: Receiver;
  beforeEach(async () => {
    next = await openReceiver();
  });
  afterEach(async () => {
    await next.close();
  });

  const deps = { checkTargetUrl: async () => [], maxActiveWebhooks: 100 };
  const move = async (url = next.url) => {
    await changeWebhook(scene.customer, scene.webhookId, { url }, deps, scene.clock.now());
  };
  const sendAll = async () => {
    while (await scene.hand.send(scene.webhookId));
  };
  const healthNow = async () => (await Endpoint.findById(scene.webhookId).orFail().lean()).health;

  test('given an endpoint in its pause, when it is moved, then what waits goes to the new url at once, and the failures are forgotten', async () => {
    scene.receiver.answerWith(() => 500);
    await scene.store(30);
    await scene.hand.send(scene.webhookId);
    const posted = scene.receiver.received.length;
    const waiting = await Delivery.countDocuments({ webhookId: scene.webhookId, attempt: 0 });
    await move();
    await sendAll();
    expect([scene.receiver.received.length, next.received.length]).toEqual([posted, waiting]);
    expect(waiting).toBeGreaterThanOrEqual(10);
    expect(await healthNow()).toMatchObject({ pauseMs: 0, pausedUntil: null, failingSince: null });
  });

  test('given an endpoint in its pause, when it is given the url that it has, then it stays paused', async () => {
    scene.receiver.answerWith(() => 500);
    await scene.store(30);
    await scene.hand.send(scene.webhookId);
    await move(scene.receiver.url);
    expect(await scene.hand.send(scene.webhookId)).toBe(false);
  });

  test('given a worker between two posts, when it has been moved, then the next post goes to the new url', async () => {
    await scene.store(1);
    await scene.hand.send(scene.webhookId, {
      async afterRecord() {
        if (next.received.length > 0 || scene.receiver.received.length > 1) return;
        await move();
        await scene.store(1);
      },
    });
    expect([scene.receiver.received.length, next.received.length]).toEqual([1, 1]);
  });

  test('given a post that waits for its connection, when it has been moved, then nothing is written to the old url', async () => {
    const { promise: mayConnect, resolve: connect } = Promise.withResolvers<string[]>();
    let asked = 0;
    const lookup = () => {
      asked += 1;
      return mayConnect;
    };
    const url = scene.receiver.url.replace('127.0.0.1', 'hooks.localhost');
    await Webhook.updateOne({ _id: scene.webhookId }, { url });
    const hand = handSender(world, scene.clock, { lookup, dnsTimeoutMs: 14_000 });
    await scene.store(1);
    const sending = hand.send(scene.webhookId);
    await eventually(() => expect(asked).toBe(1), { withinMs: 5_000 });
    await move();
    connect(['127.0.0.1']);
    await sending;
    await sendAll();
    expect([scene.receiver.received.length, next.received.length]).toEqual([0, 1]);
    // It was no attempt.
    expect(await Delivery.findOne({ webhookId: scene.webhookId }).lean()).toMatchObject({ attempt: 1, url: next.url });
    await hand.close();
  });

  test.each([500, 410])(
    'given ten posts that hang, when it is moved and they are answered %i, then that is not held against the new url',
    async (status) => {
      const { promise: mayAnswer, resolve: answer } = Promise.withResolvers<number>();
      scene.receiver.answerWith(() => mayAnswer);
      await scene.store(10);
      const sending = scene.hand.send(scene.webhookId);
      await eventually(() => expect(scene.receiver.received).toHaveLength(10), { withinMs: 5_000 });
      await move();
      answer(status);
      await sending;
      await scene.store(1);
      await sendAll();
      expect([scene.receiver.received.length, next.received.length]).toEqual([10, 1]);
      expect((await Webhook.findById(scene.webhookId).orFail().lean()).status).toBe('active');
    },
  );
});
