import { describe, expect, test } from '@jest/globals';
import { Event } from '../../common/webhooks/event.model.ts';
import { fanOutWorker } from '../../workers/fan-out.worker.ts';
import { storeEvents } from '../support/waiting-events.ts';
import { startWebhookScene } from '../support/webhook-scene.ts';
import { startWorld } from '../support/world.ts';

describe('a fan-out worker that is told to end', () => {
  const world = startWorld({ hasTariffs: false });
  const scene = startWebhookScene(world);

  test('given events for many rounds, when it is told to end in the first one, then it ends after that, and another one is told of the rest', async () => {
    // given
    await storeEvents(scene.customer, 2_500, scene.clock.now());
    const closing = new AbortController();
    const clock = {
      now() {
        // when: a round has begun
        closing.abort();
        return scene.clock.now();
      },
    };
    const nudged: unknown[] = [];
    const offered: string[] = [];
    const { handle } = fanOutWorker({
      ...world.workersOptions,
      ...{ clock, metrics: scene.hand.metrics, summon: async () => null },
      hints: { ...world.hints, nudge: (queue, ids) => void nudged.push([queue, ids]) },
      offer: (id) => {
        offered.push(id);
        return true;
      },
    });
    const { signal } = new AbortController();
    const context = { closing: closing.signal, signal, log: world.workersOptions.log };
    await Promise.all([handle('first', context), handle('second', context)]);
    // then
    expect(await Event.countDocuments({ organizationId: scene.customer.organizationId, fannedOutAt: null })).toBe(
      1_500,
    );
    expect(offered).toEqual([scene.webhookId]);
    expect(nudged).toEqual([
      ['fan-out', ['first']],
      ['fan-out', ['second']],
    ]);
  });
});
