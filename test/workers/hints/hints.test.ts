// Level: push
import { createHints, type QueueName } from '#common/platform/redis/queues.ts';
import { createRedis } from '#common/platform/redis/redis.ts';
import { describe, eventually, expect, openOnce, test } from '#test/support/jest.ts';
import { startWorld } from '#test/support/product/world.ts';
import { useStandingTime } from '#test/support/standing-time.ts';

describe('hints sent by one process', () => {
  const world = startWorld({ hasTariffs: false });
  const own = openOnce(async () => {
    const redis = createRedis(world.config.redis, 'worker', world.log);
    const open = () => createHints({ redis, prefix: world.config.redis.queuePrefix, log: world.log });
    return { open, close: async () => redis.disconnect() };
  });

  const { run, advance } = useStandingTime();

  const count = async (name: QueueName, state: 'waiting' | 'delayed') =>
    (await world.hints.queues.find((queue) => queue.name === name)?.getJobCountByTypes(state)) ?? 0;

  test('a delayed hint reaches Redis when its delay is over, not before', async () => {
    const hints = own.open();
    run(() => hints.notify('render', ['mj_later'], 300));
    await advance(299);
    hints.notify('cleanup', ['now']);
    await eventually(async () => expect(await count('cleanup', 'waiting')).toBe(1));
    expect(await count('render', 'waiting')).toBe(0);
    // It is at most a step of 50 ms late.
    await advance(51);
    await eventually(async () => expect(await count('render', 'waiting')).toBe(1));
    expect(await count('render', 'delayed')).toBe(0);
    await hints.close();
  });

  test('a delayed hint is handed to Redis when the process closes before it is due', async () => {
    const hints = own.open();
    hints.notify('lifecycle', ['mj_end'], 60_000);
    await hints.close();
    await eventually(async () => expect(await count('lifecycle', 'delayed')).toBe(1));
  });

  test('many hints of one commit are sent together after the first, and none is lost', async () => {
    const hints = own.open();
    run(() => {
      for (let index = 0; index < 50; index += 1) {
        hints.notify('fan-out', [`evt_${index}`]);
        hints.notify('webhook-delivery', [`wh_${index}`]);
      }
    });
    await eventually(async () => expect(await count('webhook-delivery', 'waiting')).toBe(50));
    // One message replaces all that are sent together.
    expect(await count('fan-out', 'waiting')).toBe(2);
    await hints.close();
  });

  test.each<[QueueName, number, string]>([
    ['fan-out', 1, 'its workers claim all that is due'],
    ['preflight', 8, 'the scanner sends the rest later'],
    ['lifecycle', 20, 'one for each row'],
  ])('20 rows notified at once for %s become %i messages: %s', async (queue, messages) => {
    const hints = own.open();
    const before = await count(queue, 'waiting');
    hints.notify(
      queue,
      Array.from({ length: 20 }, (_, n) => `row-${n}`),
    );
    await hints.close();
    await eventually(async () => expect(await count(queue, 'waiting')).toBeGreaterThan(before));
    // All messages go to Redis in one call, so no more can follow.
    expect(await count(queue, 'waiting')).toBe(before + messages);
  });
});
