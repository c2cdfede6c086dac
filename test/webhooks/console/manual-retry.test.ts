// Level: push
import { pingWebhook } from '#common/mail-jobs/events/ping-webhook.ts';
import { redeliver, redeliverFailed } from '#common/webhooks/console/redeliver.ts';
import { Delivery } from '#common/webhooks/deliveries/delivery.model.ts';
import { Endpoint } from '#common/webhooks/endpoints/endpoint.model.ts';
import { describe, eventually, expect, test } from '#test/support/jest.ts';
import { startWebhookScene } from '#test/support/webhooks/webhook-scene.ts';

describe('manual retries during a pause', () => {
  const scene = startWebhookScene();
  const { world } = scene;

  const ping = async () => (await pingWebhook(scene.customer, scene.webhookId, world, scene.clock.now())).deliveryId;
  const postedIds = () => scene.receiver.received.map(({ headers }) => headers['x-service-delivery']);
  const healthNow = async () => (await Endpoint.findById(scene.webhookId).orFail().lean()).health;
  const afterS = (seconds: number) => new Date(scene.clock.now().getTime() + seconds * 1_000);

  /** Pauses the endpoint with twenty deliveries waiting. Returns the id of a failed delivery. */
  async function pause(): Promise<string> {
    await scene.pause();
    const [failed] = await Delivery.find({ webhookId: scene.webhookId, attempt: 1 }).sort({ _id: -1 }).lean();
    await Delivery.updateOne({ _id: failed?._id ?? '' }, { state: 'failed', nextAttemptAt: null });
    scene.clock.advance(10_000);
    expect(await scene.dispatcher.send(scene.webhookId)).toBe(false);
    return failed?._id ?? '';
  }

  /** Ways to ask for a retry. Each returns the id of the delivery to send. */
  const retries = {
    'a ping': ping,
    async 'a failed delivery'(failed: string) {
      const result = await redeliver(scene.customer, scene.webhookId, failed, world, scene.clock.now());
      expect(result.nextAttemptAt).toEqual(scene.clock.now());
      return failed;
    },
    async 'a waiting delivery'() {
      const waiting = { webhookId: scene.webhookId, state: 'due' as const, attempt: 1 };
      const { _id } = await Delivery.findOne(waiting).orFail().lean();
      await redeliver(scene.customer, scene.webhookId, _id, world, scene.clock.now());
      return _id;
    },
    async 'all failed deliveries'(failed: string) {
      const result = await redeliverFailed(scene.customer, scene.webhookId, afterS(-60), world, scene.clock.now());
      expect(result).toEqual({ redelivered: 1, hasMore: false });
      return failed;
    },
  };
  test.each(Object.entries(retries))('send %s first and at once, and a success ends the pause', async (_what, ask) => {
    const failed = await pause();
    const before = scene.receiver.received.length;
    scene.receiver.answerWith(() => 200);
    const retriedId = await ask(failed);
    await scene.sendAll();
    expect(postedIds()[before]).toBe(retriedId);
    // All other due deliveries follow.
    expect(await Delivery.countDocuments({ state: 'due', nextAttemptAt: { $lte: scene.clock.now() } })).toBe(0);
    expect(await healthNow()).toMatchObject({ pauseMs: 0, pausedUntil: null, failingSince: null });
  });

  test('are one post for each ping, and each failure lengthens the pause', async () => {
    await pause();
    const failingSince = (await healthNow())?.failingSince;
    for (const pauseS of [120, 240]) {
      const before = scene.receiver.received.length;
      const retriedId = await ping();
      await scene.sendAll();
      expect(postedIds().slice(before)).toEqual([retriedId]);
      expect(await Delivery.findById(retriedId).lean()).toMatchObject({ state: 'failed', attempt: 1 });
      expect(await healthNow()).toMatchObject({ pauseMs: pauseS * 1_000, pausedUntil: afterS(pauseS), failingSince });
      scene.clock.advance(1_000);
    }
  });

  test('of three pings before the next session send only one', async () => {
    await pause();
    const before = scene.receiver.received.length;
    const ids = [await ping(), await ping(), await ping()];
    await scene.sendAll();
    expect(postedIds().slice(before)).toEqual(ids.slice(2));
  });

  test.each([0, 1])('during failing posts are sent despite the pause, after %i before', async (earlierCount) => {
    for (let count = 0; count < earlierCount; count += 1) await ping();
    await scene.sendAll();
    const answers: ((status: number) => void)[] = [];
    scene.receiver.answerWith(() => new Promise<number>((resolve) => void answers.push(resolve)));
    await scene.store(30);
    const sending = scene.dispatcher.send(scene.webhookId);
    await eventually(() => expect(answers).toHaveLength(10));
    const retriedId = await ping();
    scene.receiver.answerWith(() => 500);
    for (const answer of answers) answer(500);
    await sending;
    expect(postedIds().slice(earlierCount + 10)).toEqual([retriedId]);
    expect(await healthNow()).toMatchObject({ pauseMs: 120_000, pausedUntil: afterS(120) });
  });

  test('send a hint at once although a delayed hint is queued', async () => {
    await pause();
    const hinted: string[] = [];
    const hints = { ...world.hints, notify: (_queue: string, ids: readonly string[]) => void hinted.push(...ids) };
    await Endpoint.updateOne({ _id: scene.webhookId }, { $set: { 'due.hintedAt': scene.clock.now() } });
    scene.clock.advance(1_000);
    await pingWebhook(scene.customer, scene.webhookId, { hints }, scene.clock.now());
    expect(hinted).toEqual([scene.webhookId]);
  });
});
