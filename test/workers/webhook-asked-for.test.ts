import { describe, expect, test } from '@jest/globals';
import { pingWebhook } from '../../common/mail-jobs/ping-webhook.ts';
import { Delivery } from '../../common/webhooks/delivery.model.ts';
import { Endpoint } from '../../common/webhooks/endpoint.model.ts';
import { redeliver, redeliverFailed } from '../../common/webhooks/redeliver.ts';
import { eventually } from '../support/eventually.ts';
import { startWebhookScene } from '../support/webhook-scene.ts';
import { startWorld } from '../support/world.ts';

describe('deliveries that their owner asks for', () => {
  const world = startWorld({ hasTariffs: false });
  const scene = startWebhookScene(world);

  const ping = async () => {
    return (await pingWebhook(scene.customer, scene.webhookId, world, scene.clock.now())).deliveryId;
  };
  const askedIds = () => scene.receiver.received.map(({ headers }) => headers['x-service-delivery']);
  const healthNow = async () => (await Endpoint.findById(scene.webhookId).orFail().lean()).health;
  const sendAll = async () => {
    while (await scene.hand.send(scene.webhookId));
  };
  const afterS = (seconds: number) => new Date(scene.clock.now().getTime() + seconds * 1_000);

  /** Failures have paused the endpoint, twenty others wait, and one delivery is lost: its id. */
  async function pause(): Promise<string> {
    scene.receiver.answerWith(() => 500);
    await scene.store(30);
    await scene.hand.send(scene.webhookId);
    const [lost] = await Delivery.find({ webhookId: scene.webhookId, attempt: 1 }).sort({ _id: -1 }).lean();
    await Delivery.updateOne({ _id: lost?._id ?? '' }, { state: 'failed', nextAttemptAt: null });
    scene.clock.advance(10_000);
    expect(await scene.hand.send(scene.webhookId)).toBe(false);
    return lost?._id ?? '';
  }

  test.each([
    ['a ping', async () => await ping()],
    [
      'a delivery that was lost',
      async (lost: string) => {
        const asked = await redeliver(scene.customer, scene.webhookId, lost, world, scene.clock.now());
        expect(asked.nextAttemptAt).toEqual(scene.clock.now());
        return lost;
      },
    ],
    [
      'one that waits',
      async () => {
        const waiting = { webhookId: scene.webhookId, state: 'due' as const, attempt: 1 };
        const { _id } = await Delivery.findOne(waiting).orFail().lean();
        await redeliver(scene.customer, scene.webhookId, _id, world, scene.clock.now());
        return _id;
      },
    ],
    [
      'all that was lost',
      async (lost: string) => {
        const since = afterS(-60);
        const asked = await redeliverFailed(scene.customer, scene.webhookId, since, world, scene.clock.now());
        expect(asked).toEqual({ redelivered: 1, hasMore: false });
        return lost;
      },
    ],
  ])(
    'given a pause, when its owner asks for %s, then that is tried first, at once, and its success ends the pause',
    async (_what, ask) => {
      const lost = await pause();
      const before = scene.receiver.received.length;
      scene.receiver.answerWith(() => 200);
      const askedId = await ask(lost);
      await sendAll();
      expect(askedIds()[before]).toBe(askedId);
      // All that was due goes after it.
      expect(await Delivery.countDocuments({ state: 'due', nextAttemptAt: { $lte: scene.clock.now() } })).toBe(0);
      expect(await healthNow()).toMatchObject({ pauseMs: 0, pausedUntil: null, failingSince: null });
    },
  );

  test('given a pause and a receiver that still fails, when its owner pings again and again, then each ping is one post, and the pause grows', async () => {
    await pause();
    const failingSince = (await healthNow())?.failingSince;
    for (const pauseS of [120, 240]) {
      const before = scene.receiver.received.length;
      const askedId = await ping();
      await sendAll();
      expect(askedIds().slice(before)).toEqual([askedId]);
      expect(await Delivery.findById(askedId).lean()).toMatchObject({ state: 'failed', attempt: 1 });
      expect(await healthNow()).toMatchObject({ pauseMs: pauseS * 1_000, pausedUntil: afterS(pauseS), failingSince });
      scene.clock.advance(1_000);
    }
  });

  test('given a pause, when its owner pings three times before a worker comes, then one is tried, and the others wait', async () => {
    await pause();
    const before = scene.receiver.received.length;
    const ids = [await ping(), await ping(), await ping()];
    await sendAll();
    expect(askedIds().slice(before)).toEqual(ids.slice(2));
  });

  test('given posts under way that will all fail, when their owner pings meanwhile, then the ping does not wait for the end of the pause', async () => {
    const answers: ((status: number) => void)[] = [];
    scene.receiver.answerWith(() => new Promise<number>((resolve) => void answers.push(resolve)));
    await scene.store(30);
    const sending = scene.hand.send(scene.webhookId);
    await eventually(() => expect(answers).toHaveLength(10), { withinMs: 5_000 });
    const askedId = await ping();
    scene.receiver.answerWith(() => 500);
    for (const answer of answers) answer(500);
    await sending;
    expect(askedIds().slice(10)).toEqual([askedId]);
    expect(await healthNow()).toMatchObject({ pauseMs: 120_000, pausedUntil: afterS(120) });
  });

  test('given a hint that is under way for later, when its owner asks, then the workers are told at once', async () => {
    await pause();
    const told: string[] = [];
    const hints = { ...world.hints, nudge: (_queue: string, ids: readonly string[]) => void told.push(...ids) };
    await Endpoint.updateOne({ _id: scene.webhookId }, { $set: { 'due.hintedAt': scene.clock.now() } });
    scene.clock.advance(1_000);
    await pingWebhook(scene.customer, scene.webhookId, { hints }, scene.clock.now());
    expect(told).toEqual([scene.webhookId]);
  });
});
