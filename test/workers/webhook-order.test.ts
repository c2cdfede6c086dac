import { describe, expect, test } from '@jest/globals';
import { plusMs } from '../../common/clock.ts';
import { Delivery } from '../../common/webhooks/delivery.model.ts';
import { Endpoint, jobEndpointId } from '../../common/webhooks/endpoint.model.ts';
import { Event } from '../../common/webhooks/event.model.ts';
import { redeliver, redeliverFailed } from '../../common/webhooks/redeliver.ts';
import { Webhook } from '../../common/webhooks/webhook.model.ts';
import { openReceiver } from '../support/receiver.ts';
import { aWebhookAt, storeEvents } from '../support/waiting-events.ts';
import { startWebhookScene } from '../support/webhook-scene.ts';
import { startWorld } from '../support/world.ts';

describe('what an endpoint is sent, and when', () => {
  const world = startWorld({ hasTariffs: false });
  const scene = startWebhookScene(world);

  const receivedIds = () => scene.receiver.received.map(({ body }) => body.mailJobId);

  test('given third attempts that wait, when first attempts wait too, then all of those come first', async () => {
    const late = await scene.store(5);
    await Delivery.updateMany({ webhookId: scene.webhookId }, { attempt: 2, isLate: true });
    scene.clock.advance(1_000);
    const fresh = await scene.store(120);
    await scene.hand.send(scene.webhookId);
    expect(new Set(receivedIds().slice(0, 120))).toEqual(new Set(fresh));
    expect(new Set(receivedIds().slice(120))).toEqual(new Set(late));
  });

  test('given a delivery that fails, when its third attempt is planned, then it is a late one, and its second is not', async () => {
    scene.receiver.answerWith(() => 500);
    await scene.store(1);
    const lateness: [number, boolean][] = [];
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      await scene.hand.send(scene.webhookId);
      const row = await Delivery.findOne({ webhookId: scene.webhookId }).orFail().lean();
      lateness.push([row.attempt, row.isLate ?? false]);
      scene.clock.set(row.nextAttemptAt!);
    }
    expect(lateness).toEqual([
      [1, false],
      [2, true],
      [3, true],
    ]);
    expect(await scene.hand.read('deliveries_total', { result: 'retry', error_class: '5xx' })).toBe(3);
  });

  test('given deliveries that waited 96 hours, when their endpoint is sent to, then they fail unsent, but for what was asked for by hand', async () => {
    const [old = '', asked = ''] = await scene.store(2);
    await Delivery.updateOne({ mailJobId: asked }, { isManual: true });
    scene.clock.advance(96 * 3_600_000 + 1);
    await scene.hand.send(scene.webhookId);
    expect(receivedIds()).toEqual([asked]);
    expect(await Delivery.findOne({ mailJobId: old }).lean()).toMatchObject({ state: 'failed', attempt: 0 });
    expect(await scene.hand.read('deliveries_total', { result: 'failed', error_class: 'expired' })).toBe(1);
    expect(await Endpoint.findById(scene.webhookId).lean()).not.toHaveProperty('due');
  });

  test('given a delivery that has waited 96 hours for its next attempt, when its owner asks for it, then it is tried, and again by its schedule', async () => {
    const [mailJobId] = await scene.store(1);
    scene.receiver.answerWith(() => 500);
    await scene.hand.send(scene.webhookId);
    const { _id } = await Delivery.findOne({ mailJobId: mailJobId! }).orFail().lean();
    // Its endpoint was paused all the while.
    scene.clock.advance(96 * 3_600_000 + 1);
    await redeliver(scene.customer, scene.webhookId, _id, world, scene.clock.now());
    await scene.hand.send(scene.webhookId);
    expect(scene.receiver.received).toHaveLength(2);
    const again = await Delivery.findById(_id).orFail().lean();
    expect(again).toMatchObject({ state: 'due', attempt: 2, isManual: false });
    // Nobody asks once more: its 96 hours end again.
    scene.clock.advance(96 * 3_600_000 + 1);
    await scene.hand.send(scene.webhookId);
    expect(scene.receiver.received).toHaveLength(2);
    expect(await Delivery.findById(_id).lean()).toMatchObject({ state: 'failed', attempt: 2 });
  });

  test('given a webhook whose url is changed, when deliveries wait, then they go to the new one', async () => {
    const moved = await openReceiver();
    const [mailJobId] = await scene.store(1);
    await Webhook.updateOne({ _id: scene.webhookId }, { url: moved.url });
    await scene.hand.send(scene.webhookId);
    expect([moved.received.map(({ body }) => body.mailJobId), scene.receiver.received]).toEqual([[mailJobId], []]);
    await moved.close();
  });

  test('given a hundred and fifty deliveries, when five workers want the endpoint at once, then each delivery is posted once', async () => {
    await scene.store(150);
    const turns = await Promise.all(Array.from({ length: 5 }, () => scene.hand.send(scene.webhookId)));
    expect(turns.filter(Boolean)).toHaveLength(1);
    expect(new Set(receivedIds()).size).toBe(150);
    expect(scene.receiver.received).toHaveLength(150);
    expect(await scene.hand.read('deliveries_total', { result: 'delivered' })).toBe(150);
  });

  test('given three addresses of one origin and organization that hang, when all are sent to, then twenty posts are under way', async () => {
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
    const sending = Promise.all([scene.webhookId, second, third].map((id) => scene.hand.send(id)));
    await mayAnswer;
    expect(scene.receiver.received).toHaveLength(20);
    await sending;
    // The third was refused, and is due again a second later.
    scene.clock.advance(2_000);
    for (const id of [scene.webhookId, second, third]) await scene.hand.send(id);
    expect(scene.receiver.received).toHaveLength(90);
  });

  test('given an event that cannot be fanned out, when others are due with it, then they are, and it is tried again later', async () => {
    const poisoned = await storeEvents(scene.customer, 1, scene.clock.now(), { webhookUrl: 'no url' });
    const sound = await scene.store(3);
    expect(await Delivery.countDocuments({ mailJobId: { $in: sound } })).toBe(3);
    const event = await Event.findOne({ subjectId: poisoned[0]! }).orFail().lean();
    expect(event.due).toMatchObject({ leaseToken: null, at: plusMs(scene.clock.now(), 1_000) });
  });

  test('given an event that is larger than any of ours can be, when it is fanned out, then no receiver gets it', async () => {
    const [mailJobId = ''] = await scene.store(1, { body: JSON.stringify({ text: 'x'.repeat(65_536) }) });
    await scene.hand.send(scene.webhookId);
    expect(scene.receiver.received).toEqual([]);
    expect(await Delivery.findOne({ mailJobId }).lean()).toMatchObject({ state: 'failed', lastResult: 'too_large' });
  });

  test("given a letter's own address, when its event is fanned out twice, then one delivery waits and its worker is told once", async () => {
    // Signed with a secret of the organization, which therefore has to be there.
    scene.customer = await world.customer({ mode: 'live' });
    const url = `${scene.receiver.url}/own`;
    await scene.store(1, { webhookUrl: url });
    await Event.updateMany({ webhookUrl: url }, { $set: { due: { at: scene.clock.now(), attempt: 0, version: 0 } } });
    scene.clock.advance(1);
    await scene.hand.fanOut();
    const endpointId = jobEndpointId(scene.customer, url);
    expect(scene.hand.told).toEqual([endpointId]);
    await scene.hand.send(endpointId);
    expect(scene.receiver.received).toHaveLength(1);
  });

  test('given one that was too large, when all that was lost is asked for, then it stays failed', async () => {
    const since = scene.clock.now();
    const [mailJobId = ''] = await scene.store(1, { body: JSON.stringify({ text: 'x'.repeat(65_536) }) });
    const asked = await redeliverFailed(scene.customer, scene.webhookId, since, world, scene.clock.now());
    expect(asked).toEqual({ redelivered: 0, hasMore: false });
    expect(await Delivery.findOne({ mailJobId }).lean()).toMatchObject({ state: 'failed', lastResult: 'too_large' });
  });
});
