import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { plusMs } from '../../common/clock.ts';
import type { Owner } from '../../common/modes.ts';
import { Delivery } from '../../common/webhooks/delivery.model.ts';
import { Endpoint, jobEndpointId } from '../../common/webhooks/endpoint.model.ts';
import { Event } from '../../common/webhooks/event.model.ts';
import { Webhook } from '../../common/webhooks/webhook.model.ts';
import { type StandingClock, standingClock } from '../support/clock.ts';
import { openReceiver, type Receiver } from '../support/receiver.ts';
import { anOwner, aWebhookAt, type HandSender, handSender, storeEvents } from '../support/waiting-events.ts';
import { startWorld } from '../support/world.ts';

describe('what an endpoint is sent, and when', () => {
  const world = startWorld({ hasTariffs: false });
  let receiver: Receiver;
  let clock: StandingClock;
  let hand: HandSender;
  let customer: Owner;
  let webhookId: string;

  beforeEach(async () => {
    receiver = await openReceiver();
    clock = standingClock();
    hand = handSender(world, clock);
    customer = { ...anOwner(), mode: 'live' };
    webhookId = await aWebhookAt(world, customer, receiver.url);
  });
  afterEach(async () => {
    await hand.close();
    await receiver.close();
  });

  const store = async (count: number, fields = {}) => {
    const mailJobIds = await storeEvents(customer, count, clock.now(), fields);
    await hand.fanOut();
    return mailJobIds;
  };
  const receivedIds = () => receiver.received.map(({ body }) => body.mailJobId);

  test('given third attempts that wait, when first attempts wait too, then all of those come first', async () => {
    const late = await store(5);
    await Delivery.updateMany({ webhookId }, { attempt: 2, isLate: true });
    clock.advance(1_000);
    const fresh = await store(120);
    await hand.send(webhookId);
    expect(new Set(receivedIds().slice(0, 120))).toEqual(new Set(fresh));
    expect(new Set(receivedIds().slice(120))).toEqual(new Set(late));
  });

  test('given a delivery that fails, when its third attempt is planned, then it is a late one, and its second is not', async () => {
    receiver.answerWith(() => 500);
    await store(1);
    const lateness: [number, boolean][] = [];
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      await hand.send(webhookId);
      const row = await Delivery.findOne({ webhookId }).orFail().lean();
      lateness.push([row.attempt, row.isLate]);
      clock.set(row.nextAttemptAt!);
    }
    expect(lateness).toEqual([
      [1, false],
      [2, true],
      [3, true],
    ]);
    expect(await hand.read('deliveries_total', { result: 'retry', error_class: '5xx' })).toBe(3);
  });

  test('given deliveries that waited 96 hours, when their endpoint is sent to, then they fail unsent, but for what was asked for by hand', async () => {
    const [old = '', asked = ''] = await store(2);
    await Delivery.updateOne({ mailJobId: asked }, { isManual: true });
    clock.advance(96 * 3_600_000 + 1);
    await hand.send(webhookId);
    expect(receivedIds()).toEqual([asked]);
    expect(await Delivery.findOne({ mailJobId: old }).lean()).toMatchObject({ state: 'failed', attempt: 0 });
    expect(await hand.read('deliveries_total', { result: 'failed', error_class: 'expired' })).toBe(1);
    expect(await Endpoint.findById(webhookId).lean()).not.toHaveProperty('due');
  });

  test('given a webhook whose url is changed, when deliveries wait, then they go to the new one', async () => {
    const moved = await openReceiver();
    const [mailJobId] = await store(1);
    await Webhook.updateOne({ _id: webhookId }, { url: moved.url });
    await hand.send(webhookId);
    expect([moved.received.map(({ body }) => body.mailJobId), receiver.received]).toEqual([[mailJobId], []]);
    await moved.close();
  });

  test('given a hundred and fifty deliveries, when five workers want the endpoint at once, then each delivery is posted once', async () => {
    await store(150);
    const turns = await Promise.all(Array.from({ length: 5 }, () => hand.send(webhookId)));
    expect(turns.filter(Boolean)).toHaveLength(1);
    expect(new Set(receivedIds()).size).toBe(150);
    expect(receiver.received).toHaveLength(150);
    expect(await hand.read('deliveries_total', { result: 'delivered' })).toBe(150);
  });

  test('given three addresses of one origin and organization that hang, when all are sent to, then twenty posts are under way', async () => {
    const second = await aWebhookAt(world, customer, `${receiver.url}/2`);
    const third = await aWebhookAt(world, customer, `${receiver.url}/3`);
    await store(30);
    const { promise: mayAnswer, resolve: answer } = Promise.withResolvers<void>();
    receiver.answerWith(async () => {
      if (receiver.received.length === 20) setTimeout(answer, 200);
      await mayAnswer;
      expect(receiver.received.length).toBeLessThanOrEqual(90);
      return 200;
    });
    const sending = Promise.all([webhookId, second, third].map((id) => hand.send(id)));
    await mayAnswer;
    expect(receiver.received).toHaveLength(20);
    await sending;
    // The third was refused, and is due again a second later.
    clock.advance(2_000);
    for (const id of [webhookId, second, third]) await hand.send(id);
    expect(receiver.received).toHaveLength(90);
  });

  test('given an event that cannot be fanned out, when others are due with it, then they are, and it is tried again later', async () => {
    const poisoned = await storeEvents(customer, 1, clock.now(), { webhookUrl: 'no url' });
    const sound = await store(3);
    expect(await Delivery.countDocuments({ mailJobId: { $in: sound } })).toBe(3);
    const event = await Event.findOne({ subjectId: poisoned[0]! }).orFail().lean();
    expect(event.due).toMatchObject({ leaseToken: null, at: plusMs(clock.now(), 1_000) });
  });

  test('given an event that is larger than any of ours can be, when it is fanned out, then no receiver gets it', async () => {
    const [mailJobId = ''] = await store(1, { body: JSON.stringify({ text: 'x'.repeat(65_536) }) });
    await hand.send(webhookId);
    expect(receiver.received).toEqual([]);
    expect(await Delivery.findOne({ mailJobId }).lean()).toMatchObject({ state: 'failed', lastResult: 'too_large' });
  });

  test("given a letter's own address, when its event is fanned out twice, then one delivery waits and its worker is told once", async () => {
    // Signed with a secret of the organization, which therefore has to be there.
    customer = await world.customer({ mode: 'live' });
    const url = `${receiver.url}/own`;
    await store(1, { webhookUrl: url });
    await Event.updateMany({ webhookUrl: url }, { $set: { due: { at: clock.now(), attempt: 0, version: 0 } } });
    clock.advance(1);
    await hand.fanOut();
    const endpointId = jobEndpointId(customer, url);
    expect(hand.told).toEqual([endpointId]);
    await hand.send(endpointId);
    expect(receiver.received).toHaveLength(1);
  });
});
