import { describe, expect, test } from '@jest/globals';
import { Delivery, type DeliveryState } from '../../common/webhooks/delivery.model.ts';
import { Endpoint } from '../../common/webhooks/endpoint.model.ts';
import { startWorkers } from '../../workers/start-workers.ts';
import { eventually } from '../support/eventually.ts';
import { startWebhookScene } from '../support/webhook-scene.ts';
import { startWorld } from '../support/world.ts';

describe('a sender that is told to end', () => {
  const world = startWorld({ hasTariffs: false });
  const scene = startWebhookScene(world);

  const startSending = () => startWorkers({ ...world.workersOptions, names: ['webhook-delivery', 'scanner'] });
  const count = (state: DeliveryState) => Delivery.countDocuments({ webhookId: scene.webhookId, state });
  const counts = async () => ({ due: await count('due'), sending: await count('sending') });
  const received = (atLeast: number) =>
    eventually(() => expect(scene.receiver.received.length).toBeGreaterThanOrEqual(atLeast), { withinMs: 15_000 });

  test('given ten posts that hang before others, when it is closed, then those are given back at once, and the ten are recorded', async () => {
    // given
    const { promise: mayAnswer, resolve: answer } = Promise.withResolvers<number>();
    scene.receiver.answerWith(() => mayAnswer);
    await scene.store(150);
    const first = await startSending();
    await received(10);
    expect(await counts()).toEqual({ due: 50, sending: 100 });
    // when
    const closed = first.close();
    // then: while they hang
    await eventually(async () => expect(await counts()).toEqual({ due: 140, sending: 10 }), { withinMs: 10_000 });
    expect(await Delivery.countDocuments({ webhookId: scene.webhookId, state: 'due', attempt: 0 })).toBe(140);
    answer(200);
    await closed;
    expect([await count('delivered'), scene.receiver.received.length]).toEqual([10, 10]);
    expect((await Endpoint.findById(scene.webhookId).orFail().lean()).due).toMatchObject({ leaseToken: null });
    // Another one takes it from there, and nothing comes twice.
    const second = await startSending();
    await eventually(async () => expect(await count('delivered')).toBe(150), { withinMs: 15_000 });
    expect(scene.receiver.received).toHaveLength(150);
    await second.close();
  }, 60_000);

  test('given a backlog that takes many batches, when it is closed, then it takes no further one', async () => {
    scene.receiver.answerWith(() => new Promise((resolve) => setTimeout(resolve, 30, 200)));
    await scene.store(3_000);
    const sending = await startSending();
    await received(20);
    await sending.close();
    const { length } = scene.receiver.received;
    expect(await counts()).toEqual({ due: 3_000 - length, sending: 0 });
    expect(length).toBeLessThan(1_500);
    expect(await count('delivered')).toBe(length);
  }, 60_000);
});
