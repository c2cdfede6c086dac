// Level: push
import { describe, eventually, expect, test } from '#test/support/jest.ts';
import { startWorld } from '#test/support/product/world.ts';

describe('a hint', () => {
  const world = startWorld();

  test('is due while it waits, and when its delay is over although no worker moves it', async () => {
    const { hints } = world;
    const add = (id: string, delayMs: number) => hints.add([{ queue: 'sandbox-clock', id, delayMs }]);
    expect(await hints.hasDue('sandbox-clock')).toBe(false);
    await add('clk_later', 60_000);
    expect(await hints.hasDue('sandbox-clock')).toBe(false);
    await add('clk_soon', 50);
    await eventually(async () => expect(await hints.hasDue('sandbox-clock')).toBe(true));
    await add('clk_now', 0);
    expect(await hints.hasDue('sandbox-clock')).toBe(true);
  });
});
