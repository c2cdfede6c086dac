import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Delivery, type DeliveryRecord } from '../../common/webhooks/delivery.model.ts';
import { Endpoint } from '../../common/webhooks/endpoint.model.ts';
import { type StandingClock, standingClock } from '../support/clock.ts';
import { eventually } from '../support/eventually.ts';
import { openReceiver, type Receiver } from '../support/receiver.ts';
import { anOwner, aWebhookAt, type HandSender, handSender, storeEvents } from '../support/waiting-events.ts';
import { startWorld } from '../support/world.ts';

describe('a worker whose lease is over', () => {
  const world = startWorld({ hasTariffs: false });
  let receiver: Receiver;
  let clock: StandingClock;
  let hand: HandSender;
  beforeEach(async () => {
    receiver = await openReceiver();
    clock = standingClock();
    hand = handSender(world, clock);
  });
  afterEach(async () => {
    await hand.close();
    await receiver.close();
  });

  test('given a worker that stood still in a post, when another has delivered meanwhile, then what the first one learns late changes nothing', async () => {
    // given
    const customer = anOwner();
    const webhookId = await aWebhookAt(world, customer, receiver.url);
    const { promise: mayAnswer, resolve: letAnswer } = Promise.withResolvers<void>();
    receiver.answerWith(async () => {
      if (receiver.received.length > 1) return 200;
      await mayAnswer;
      return 500;
    });
    await storeEvents(customer, 1, clock.now());
    await hand.fanOut();
    const late = hand.send(webhookId);
    await eventually(() => expect(receiver.received).toHaveLength(1), { withinMs: 5_000 });
    // when
    expect(await hand.send(webhookId)).toBe(false);
    clock.advance(10 * 60_000);
    expect(await hand.send(webhookId)).toBe(true);
    const delivered = await Delivery.findOne({ webhookId }).orFail().lean<DeliveryRecord>();
    expect(delivered).toMatchObject({ state: 'delivered', lastResult: '200', leaseToken: null });
    const endpoint = await Endpoint.findById(webhookId).orFail().lean();
    letAnswer();
    await late;
    // then
    expect(await Delivery.findOne({ webhookId }).lean()).toEqual(delivered);
    expect(await Endpoint.findById(webhookId).lean()).toEqual(endpoint);
    const [first, second] = receiver.received;
    expect(second?.headers['x-service-delivery']).toBe(first?.headers['x-service-delivery']);
    expect(second?.raw).toBe(first?.raw);
  });
});
