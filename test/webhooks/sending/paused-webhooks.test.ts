// Level: push
import { pauseWork, resumeWork } from '#common/operations/change-pauses.ts';
import { Pause } from '#common/platform/due-work/pause.model.ts';
import { beforeEach, describe, expect, test } from '#test/support/jest.ts';
import { numbersOf } from '#test/support/webhooks/receiver.ts';
import { startWebhookScene } from '#test/support/webhooks/webhook-scene.ts';

const by = { kind: 'cli', id: 'ada' } as const;
const hourMs = 3_600_000;

describe('webhooks that an operator pauses', () => {
  const scene = startWebhookScene();
  beforeEach(() => Pause.deleteMany({}));

  const own = () => ({ work: 'webhooks', organizationId: scene.customer.organizationId }) as const;
  const pause = async () => await pauseWork({ ...own(), reason: 'test' }, by, scene.clock.now());
  const resume = async () => await resumeWork(own(), by, scene.clock.now());

  test('a backlog in progress stops, and the rest is sent once after the pause', async () => {
    const { receiver, clock } = scene;
    await scene.store(60);
    let isFirst = true;
    receiver.answerWith(async () => {
      if (isFirst) {
        isFirst = false;
        await pause();
      }
      return 200;
    });
    await scene.dispatcher.send(scene.webhookId);
    const sent = receiver.received.length;
    // At most the ten in flight and the ten that had passed the check.
    expect(sent).toBeLessThanOrEqual(20);
    expect(await scene.counts()).toEqual({ delivered: sent, due: 60 - sent });
    await resume();
    clock.advance(1_000);
    await scene.sendAll();
    expect([receiver.received.length, await scene.count('delivered')]).toEqual([60, 60]);
    expect(new Set(numbersOf(receiver))).toEqual(new Set(['1']));
  });

  test('deliveries that wait for the operator do not count as backlog', async () => {
    const { clock, dispatcher } = scene;
    await scene.store(3);
    clock.advance(2_000);
    await pause();
    // Read once: the figures are kept for 5 s.
    const figures = ['delivery_due_backlog', 'delivery_oldest_due_seconds'];
    expect(await Promise.all(figures.map((name) => dispatcher.read(name)))).toEqual([0, 0]);
    await resume();
    await scene.sendAll();
    expect(scene.receiver.received).toHaveLength(3);
  });

  test('the 96 hours of a delivery stand still during the pause', async () => {
    const { clock, receiver } = scene;
    await scene.store(1);
    clock.advance(hourMs);
    await pause();
    clock.advance(200 * hourMs);
    await resume();
    clock.advance(94 * hourMs);
    receiver.answerWith(() => 500);
    await scene.sendAll();
    expect(await scene.counts()).toEqual({ due: 1 });
    receiver.answerWith(() => 200);
    clock.advance(20_000);
    await scene.sendAll();
    expect(await scene.counts()).toEqual({ delivered: 1 });
  });

  test('the time to the first attempt, of the objective, does not include the pause', async () => {
    const { clock, dispatcher } = scene;
    await scene.store(1);
    clock.advance(2_000);
    await pause();
    clock.advance(hourMs);
    await resume();
    clock.advance(1_000);
    await scene.sendAll();
    const { values } = await dispatcher.metrics.firstAttempt.get();
    expect(values.find(({ metricName }) => metricName === 'delivery_first_attempt_seconds_sum')?.value).toBe(3);
  });

  test('without a pause a delivery of that age fails', async () => {
    await scene.store(1);
    scene.clock.advance(97 * hourMs);
    await scene.sendAll();
    expect(await scene.counts()).toEqual({ failed: 1 });
  });
});
