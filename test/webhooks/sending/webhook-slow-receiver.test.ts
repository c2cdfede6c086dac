// Level: push
import { Delivery } from '#common/webhooks/deliveries/delivery.model.ts';
import { Endpoint } from '#common/webhooks/endpoints/endpoint.model.ts';
import { describe, eventually, expect, test } from '#test/support/jest.ts';
import { startWebhookScene } from '#test/support/webhooks/webhook-scene.ts';
import { startWorkers } from '#workers/process/start-workers.ts';

const scene = startWebhookScene();
const { world } = scene;

describe('an endpoint that answers slowly', () => {
  /** Holds answers until the test releases them. */
  function holdAnswers() {
    const held: (() => void)[] = [];
    scene.receiver.answerWith(async () => {
      await new Promise<void>((resolve) => void held.push(resolve));
      return 200;
    });
    return held;
  }
  const received = (count: number) => eventually(() => expect(scene.receiver.received).toHaveLength(count));

  test('events that arrive during slow posts are posted concurrently, up to ten at once', async () => {
    const held = holdAnswers();
    await scene.store(1);
    const sending = scene.dispatcher.send(scene.webhookId);
    for (let count = 1; count < 10; count += 1) {
      await received(count);
      await scene.store(1);
    }
    await received(10);
    // The eleventh waits only until one post ends.
    await scene.store(2);
    held[4]?.();
    await received(11);
    held[7]?.();
    await received(12);
    for (const answer of held) answer();
    expect(await sending).toBe(true);
    expect(await scene.dispatcher.read('deliveries_total', { result: 'delivered' })).toBe(12);
    expect(await scene.dispatcher.send(scene.webhookId)).toBe(false);
  });

  test('a first attempt does not wait for a slow low-priority retry', async () => {
    const held = holdAnswers();
    await scene.store(1);
    await Delivery.updateMany({ webhookId: scene.webhookId }, { attempt: 2, isLowPriority: true });
    const sending = scene.dispatcher.send(scene.webhookId);
    await received(1);
    const [fresh] = await scene.store(1);
    await received(2);
    expect(scene.receiver.received[1]?.body.mailJobId).toBe(fresh);
    for (const answer of held) answer();
    await sending;
  });

  test('after a pause a single probe is sent, even if events arrive meanwhile', async () => {
    scene.receiver.answerWith(() => 500);
    await scene.store(20);
    await scene.dispatcher.send(scene.webhookId);
    const before = scene.receiver.received.length;
    scene.clock.advance(60_000);
    const held = holdAnswers();
    const sending = scene.dispatcher.send(scene.webhookId);
    await received(before + 1);
    await scene.store(5);
    // Long enough for several refreshes of the row.
    const refreshedByMs = performance.now() + 1_000;
    await eventually(() => expect(performance.now()).toBeGreaterThan(refreshedByMs));
    expect(scene.receiver.received).toHaveLength(before + 1);
    scene.receiver.answerWith(() => 200);
    held[0]?.();
    await sending;
    expect(scene.receiver.received.length).toBeGreaterThan(before + 5);
  });
});

describe('a webhook delivery worker that stops', () => {
  const startSending = () => startWorkers({ ...world.workersOptions, names: ['webhook-delivery', 'scanner'] });
  const received = (atLeast: number) =>
    eventually(() => expect(scene.receiver.received.length).toBeGreaterThanOrEqual(atLeast));

  test('releases waiting deliveries at once and records the ten posts in flight', async () => {
    const { promise: mayAnswer, resolve: answer } = Promise.withResolvers<number>();
    scene.receiver.answerWith(() => mayAnswer);
    await scene.store(150);
    const first = await startSending();
    await received(10);
    expect(await scene.counts()).toEqual({ due: 50, sending: 100 });
    const closed = first.close();
    // Waiting deliveries are released while the posts still hang.
    const isReleased = async () => expect(await scene.counts()).toEqual({ due: 140, sending: 10 });
    await eventually(isReleased);
    expect(await Delivery.countDocuments({ webhookId: scene.webhookId, state: 'due', attempt: 0 })).toBe(140);
    answer(200);
    await closed;
    expect([await scene.count('delivered'), scene.receiver.received.length]).toEqual([10, 10]);
    expect((await Endpoint.findById(scene.webhookId).orFail().lean()).due).toMatchObject({ leaseToken: null });
    // Another worker continues, and no delivery is repeated.
    const second = await startSending();
    await eventually(async () => expect(await scene.count('delivered')).toBe(150));
    expect(scene.receiver.received).toHaveLength(150);
    await second.close();
  });

  test('claims no further batch of a large backlog', async () => {
    const { promise: mayAnswer, resolve: answer } = Promise.withResolvers<number>();
    scene.receiver.answerWith(() => (scene.receiver.received.length < 20 ? 200 : mayAnswer));
    await scene.store(300);
    const sending = await startSending();
    await received(20);
    const closed = sending.close();
    // All but the posts in flight, at most ten, are released: the worker knows that it stops.
    await eventually(async () => expect(await scene.count('sending')).toBeLessThanOrEqual(10));
    answer(200);
    await closed;
    const { length } = scene.receiver.received;
    expect(await scene.counts()).toEqual({ due: 300 - length, delivered: length });
    // Ten posts at once were in flight.
    expect(length).toBeLessThan(30);
  });
});
