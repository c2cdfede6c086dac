import { describe, expect, test } from '@jest/globals';
import type { QueueName } from '../../common/platform/queues.ts';
import { eventually } from '../support/eventually.ts';
import { startWorld } from '../support/world.ts';

describe('hints after a commit', () => {
  const world = startWorld();
  const ids = Array.from({ length: 20 }, (_, n) => `row-${n}`);

  test.each<[QueueName, number, string]>([
    ['fan-out', 1, 'its workers take all that is due'],
    ['render', 8, 'the scanner brings the rest as its workers get on'],
    ['webhook-delivery', 20, 'each endpoint is told'],
  ])('given 20 rows for %s, when they are nudged at once, then it gets %i messages: %s', async (queue, messages) => {
    // when
    world.hints.nudge(queue, ids);
    await eventually(async () => expect(await world.hints.countWaiting(queue)).toBeGreaterThan(0), {
      withinMs: 10_000,
    });
    // then: what goes to Redis goes in one call, so no more can follow.
    expect(await world.hints.countWaiting(queue)).toBe(messages);
  });
});
