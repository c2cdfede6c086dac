// Level: unit
import { describe, expect, test } from '../jest.ts';
import { createSchedule, overSeeds } from './schedule.ts';

async function orderOf(seed: number): Promise<string> {
  const schedule = createSchedule(seed);
  const act = async () => {
    for (const name of ['first', 'second', 'third']) await schedule.step(name, async () => {});
  };
  await schedule.race({ a: act, b: act, c: act, d: act, e: act });
  return schedule.order.join();
}

describe('a schedule', () => {
  test('the same seed repeats the order of all steps, and ten seeds give ten orders', async () => {
    const seeds = Array.from({ length: 10 }, (_, seed) => seed);
    const orders = await Promise.all(seeds.map(orderOf));
    expect(await Promise.all(seeds.map(orderOf))).toEqual(orders);
    expect(new Set(orders).size).toBe(10);
  });

  test('executes one step at a time, and goes on beside one that another actor blocks', async () => {
    const schedule = createSchedule(1);
    const { promise: unblocked, resolve: unblock } = Promise.withResolvers<void>();
    let atOnce = 0;
    const alone = async () => {
      atOnce += 1;
      await new Promise((resolve) => setImmediate(resolve));
      expect(atOnce).toBe(1);
      atOnce -= 1;
    };
    await schedule.race({
      blocked: () => schedule.step('waits', () => unblocked),
      blocking: async () => {
        for (const name of ['one', 'two']) await schedule.step(name, alone);
        await schedule.step('unblocks', unblock);
      },
    });
    expect(schedule.order).toHaveLength(4);
  });

  test('a failure names the seed that repeats it', async () => {
    const failing = overSeeds(3, async ({ seed, step, race }) => {
      await race({ a: () => step('fails', () => expect(seed).not.toBe(2)) });
    });
    await expect(failing).rejects.toThrow('SEED=2 repeats this failure');
  });
});
