import { Registry } from 'prom-client';
import { plusMs, systemClock } from '#common/clock.ts';
import { registerClockOffset } from '#common/platform/mongo/clock-offset.ts';
import { eventually, expect, test } from '#test/support/jest.ts';
import { startWorld } from '#test/support/product/world.ts';

startWorld({ hasTariffs: false });

test.each([
  ['with the database', 0],
  ['an hour ahead', 3_600],
  ['an hour behind', -3_600],
])('a clock that is %s is reported so', async (_how, aheadS) => {
  const registry = new Registry();
  registerClockOffset(registry, { now: () => plusMs(systemClock.now(), aheadS * 1_000) });
  // A database that does not answer in 2 s leaves the line out.
  const value = await eventually(async () => {
    const [, found] = /^clock_offset_seconds (.+)$/m.exec(await registry.metrics()) ?? [];
    expect(found).toBeDefined();
    return found;
  });
  // Half of a slow round trip, on the clock of one machine.
  expect(Math.abs(Number(value) - aheadS)).toBeLessThan(2);
});
