// Level: push
import { plusMs } from '#common/clock.ts';
import { Event } from '#common/events/event.model.ts';
import { newDue } from '#common/platform/due-work/due-work.ts';
import { redeliver, redeliverFailed } from '#common/webhooks/console/redeliver.ts';
import { Delivery } from '#common/webhooks/deliveries/delivery.model.ts';
import { Endpoint, jobEndpointId } from '#common/webhooks/endpoints/endpoint.model.ts';
import { describe, expect, test } from '#test/support/jest.ts';
import { aWebhookAt, startWebhookScene, storeEvents } from '#test/support/webhooks/webhook-scene.ts';

describe("the order of an endpoint's deliveries", () => {
  const scene = startWebhookScene();
  const { world } = scene;

  const receivedIds = () => scene.receiver.received.map(({ body }) => body.mailJobId);

  test('first attempts go before third attempts', async () => {
    const retries = await scene.store(5);
    await Delivery.updateMany({ webhookId: scene.webhookId }, { attempt: 2, isLowPriority: true });
    scene.clock.advance(1_000);
    const fresh = await scene.store(120);
    await scene.dispatcher.send(scene.webhookId);
    expect(new Set(receivedIds().slice(0, 120))).toEqual(new Set(fresh));
    expect(new Set(receivedIds().slice(120))).toEqual(new Set(retries));
  });

  test('the third attempt of a delivery has low priority, the second does not', async () => {
    scene.receiver.answerWith(() => 500);
    await scene.store(1);
    const priorities: [number, boolean][] = [];
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      await scene.dispatcher.send(scene.webhookId);
      const row = await Delivery.findOne({ webhookId: scene.webhookId }).orFail().lean();
      priorities.push([row.attempt, row.isLowPriority ?? false]);
      scene.clock.set(row.nextAttemptAt!);
    }
    expect(priorities).toEqual([
      [1, false],
      [2, true],
      [3, true],
    ]);
    expect(await scene.dispatcher.read('deliveries_total', { result: 'retry', error_class: '5xx' })).toBe(3);
  });

  test('deliveries fail unsent after 96 hours, except manual retries', async () => {
    const [old = '', manual = ''] = await scene.store(2);
    await Delivery.updateOne({ mailJobId: manual }, { isManual: true });
    scene.clock.advance(96 * 3_600_000 + 1);
    await scene.dispatcher.send(scene.webhookId);
    expect(receivedIds()).toEqual([manual]);
    expect(await Delivery.findOne({ mailJobId: old }).lean()).toMatchObject({ state: 'failed', attempt: 0 });
    expect(await scene.dispatcher.read('deliveries_total', { result: 'failed', error_class: 'expired' })).toBe(1);
    expect(await Endpoint.findById(scene.webhookId).lean()).not.toHaveProperty('due');
  });

  test('a manual retry gives an expired delivery another 96 hours', async () => {
    const [mailJobId] = await scene.store(1);
    scene.receiver.answerWith(() => 500);
    await scene.dispatcher.send(scene.webhookId);
    const { _id } = await Delivery.findOne({ mailJobId: mailJobId! }).orFail().lean();
    // As after a long pause of its endpoint.
    scene.clock.advance(96 * 3_600_000 + 1);
    await redeliver(scene.customer, scene.webhookId, _id, world, scene.clock.now());
    await scene.dispatcher.send(scene.webhookId);
    expect(scene.receiver.received).toHaveLength(2);
    const again = await Delivery.findById(_id).orFail().lean();
    expect(again).toMatchObject({ state: 'due', attempt: 2, isManual: false });
    // Without another manual retry it expires again.
    scene.clock.advance(96 * 3_600_000 + 1);
    await scene.dispatcher.send(scene.webhookId);
    expect(scene.receiver.received).toHaveLength(2);
    expect(await Delivery.findById(_id).lean()).toMatchObject({ state: 'failed', attempt: 2 });
  });

  test('an organization has at most twenty posts in flight to one origin', async () => {
    const second = await aWebhookAt(world, scene.customer, `${scene.receiver.url}/2`);
    const third = await aWebhookAt(world, scene.customer, `${scene.receiver.url}/3`);
    await scene.store(30);
    const { promise: mayAnswer, resolve: answer } = Promise.withResolvers<void>();
    scene.receiver.answerWith(async () => {
      if (scene.receiver.received.length === 20) setTimeout(answer, 200);
      await mayAnswer;
      expect(scene.receiver.received.length).toBeLessThanOrEqual(90);
      return 200;
    });
    const sending = Promise.all([scene.webhookId, second, third].map((id) => scene.dispatcher.send(id)));
    await mayAnswer;
    expect(scene.receiver.received).toHaveLength(20);
    await sending;
    // The third endpoint got no permits and is due again a second later.
    scene.clock.advance(2_000);
    for (const id of [scene.webhookId, second, third]) await scene.dispatcher.send(id);
    expect(scene.receiver.received).toHaveLength(90);
  });

  test('an event that cannot be fanned out does not delay others and is retried', async () => {
    const poisoned = await storeEvents(scene.customer, 1, scene.clock.now(), { webhookUrl: 'no url' });
    const sound = await scene.store(3);
    expect(await Delivery.countDocuments({ mailJobId: { $in: sound } })).toBe(3);
    const event = await Event.findOne({ subjectId: poisoned[0]! }).orFail().lean();
    expect(event.due).toMatchObject({ leaseToken: null, at: plusMs(scene.clock.now(), 1_000) });
  });

  test('an event above the size limit is never sent', async () => {
    const [mailJobId = ''] = await scene.store(1, { body: JSON.stringify({ text: 'x'.repeat(65_536) }) });
    await scene.dispatcher.send(scene.webhookId);
    expect(scene.receiver.received).toEqual([]);
    expect(await Delivery.findOne({ mailJobId }).lean()).toMatchObject({ state: 'failed', lastResult: 'too_large' });
  });

  test('fanning out an event twice stores one delivery and sends one hint', async () => {
    // The delivery is signed with the organization's secret, so the organization must exist.
    scene.customer = await world.customer({ mode: 'live' });
    const url = `${scene.receiver.url}/own`;
    await scene.store(1, { webhookUrl: url });
    await Event.updateMany({ webhookUrl: url }, { $set: { due: newDue(scene.clock.now()) } });
    scene.clock.advance(1);
    await scene.dispatcher.fanOut();
    const endpointId = jobEndpointId(scene.customer, url);
    expect(scene.dispatcher.hinted).toEqual([endpointId]);
    await scene.dispatcher.send(endpointId);
    expect(scene.receiver.received).toHaveLength(1);
  });

  test('a bulk retry leaves out deliveries above the size limit', async () => {
    const since = scene.clock.now();
    const [mailJobId = ''] = await scene.store(1, { body: JSON.stringify({ text: 'x'.repeat(65_536) }) });
    const result = await redeliverFailed(scene.customer, scene.webhookId, since, world, scene.clock.now());
    expect(result).toEqual({ redelivered: 0, hasMore: false });
    expect(await Delivery.findOne({ mailJobId }).lean()).toMatchObject({ state: 'failed', lastResult: 'too_large' });
  });
});
