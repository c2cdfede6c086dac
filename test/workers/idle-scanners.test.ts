import mongoose from 'mongoose';
import { systemClock } from '#common/clock.ts';
import { dueSlots } from '#common/operations/due-slots.ts';
import { startScanner } from '#workers/scanner/scanner.ts';
import { afterEach, describe, eventually, expect, test } from '../support/jest.ts';
import { startWorld } from '../support/product/world.ts';
import { startProfiling, stopProfiling } from '../support/servers/profiler.ts';

const processes = 20;
const maxPerS = 20;
const statements = 160;

describe('twenty processes without work', () => {
  const world = startWorld({ hasTariffs: false });
  const opened: { close(): Promise<void> }[] = [];
  afterEach(async () => {
    for (const one of opened.splice(0)) await one.close();
  });

  test('their scanners ask MongoDB less than twenty times a second in all', async () => {
    const { scannerHints: hints, bulkRedis: redis } = world.workersOptions;
    const states = Array.from({ length: processes }, () => ({ isScanning: false }));
    const options = { ...world.workersOptions, slots: dueSlots, hints, redis, clock: systemClock };
    opened.push(...states.map((scanState) => startScanner({ ...options, scanState })));
    await eventually(() => expect(states.filter(({ isScanning }) => isScanning)).toHaveLength(1));

    await startProfiling();
    const startMs = performance.now();
    const profile = mongoose.connection.collection('system.profile');
    const asked = { ns: { $not: /system\.profile$/ } };
    const enough = async () => expect(await profile.countDocuments(asked)).toBeGreaterThanOrEqual(statements);
    await eventually(enough);
    const seconds = (performance.now() - startMs) / 1_000;
    await stopProfiling();
    expect(statements / seconds).toBeLessThan(maxPerS);
  });
});
