import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createHints, type Hints, type QueueName } from '../../common/platform/queues.ts';
import { createRedis } from '../../common/platform/redis.ts';
import { eventually } from '../support/eventually.ts';
import { startWorld } from '../support/world.ts';

describe('what a process nudges', () => {
  const world = startWorld({ hasTariffs: false });
  let open: () => Hints;
  let disconnect: () => void;

  beforeAll(() => {
    const redis = createRedis(world.config.redis.url, 'worker', world.log);
    open = () => createHints({ redis, prefix: world.config.redis.queuePrefix, log: world.log });
    disconnect = () => redis.disconnect();
  });
  afterAll(() => disconnect());

  const count = async (name: QueueName, state: 'waiting' | 'delayed') =>
    (await world.hints.queues.find((queue) => queue.name === name)?.getJobCountByTypes(state)) ?? 0;

  test('given a nudge for later, when its time has come and not before, then Redis has it', async () => {
    const hints = open();
    const startedMs = performance.now();
    hints.nudge('render', ['mj_later'], 300);
    hints.nudge('cleanup', ['now']);
    await eventually(async () => expect(await count('cleanup', 'waiting')).toBe(1), { withinMs: 5_000 });
    await eventually(async () => expect(await count('render', 'waiting')).toBe(1), { withinMs: 5_000 });
    // Timers are not exact to the millisecond.
    expect(performance.now() - startedMs).toBeGreaterThan(250);
    expect(await count('render', 'delayed')).toBe(0);
    await hints.close();
  });

  test('given a nudge for later, when the process ends before, then Redis has it to keep', async () => {
    const hints = open();
    hints.nudge('lifecycle', ['mj_end'], 60_000);
    await hints.close();
    await eventually(async () => expect(await count('lifecycle', 'delayed')).toBe(1), { withinMs: 5_000 });
  });

  test('given many nudges of one commit, when they are sent, then those after the first go together, and none is lost', async () => {
    const hints = open();
    for (let index = 0; index < 50; index += 1) {
      hints.nudge('fan-out', [`evt_${index}`]);
      hints.nudge('webhook-delivery', [`wh_${index}`]);
    }
    await eventually(async () => expect(await count('webhook-delivery', 'waiting')).toBe(50), { withinMs: 5_000 });
    // One stands for all that are sent at once.
    expect(await count('fan-out', 'waiting')).toBe(2);
    await hints.close();
  });

  test.each<[QueueName, number, string]>([
    ['fan-out', 1, 'its workers take all that is due'],
    ['render', 8, 'the scanner brings the rest as its workers get on'],
    ['lifecycle', 20, 'each is told'],
  ])('given 20 rows for %s, when they are nudged at once, then it gets %i messages: %s', async (queue, messages) => {
    // given
    const hints = open();
    const before = await count(queue, 'waiting');
    // when
    hints.nudge(
      queue,
      Array.from({ length: 20 }, (_, n) => `row-${n}`),
    );
    await hints.close();
    // then
    await eventually(async () => expect(await count(queue, 'waiting')).toBeGreaterThan(before), { withinMs: 5_000 });
    // What goes to Redis goes in one call, so no more can follow.
    expect(await count(queue, 'waiting')).toBe(before + messages);
  });
});
