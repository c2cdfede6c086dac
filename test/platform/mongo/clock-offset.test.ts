// Level: push
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
  await eventually(async () => {
    const registry = new Registry();
    const before = systemClock.now();
    // Read before and after the answer of the database: half an hour early, then half an hour late.
    let reads = 0;
    const now = () => plusMs(before, aheadS * 1_000 + 1_800_000 * (reads++ === 0 ? -1 : 1));
    registerClockOffset(registry, { now });
    const [, value] = /^clock_offset_seconds (.+)$/m.exec(await registry.metrics()) ?? [];
    // How long after `before` the database has read its clock.
    const answeredMs = Math.round((aheadS - Number(value)) * 1_000);
    expect(answeredMs).toBeGreaterThanOrEqual(0);
    expect(answeredMs).toBeLessThanOrEqual(systemClock.now().getTime() - before.getTime());
  });
});
