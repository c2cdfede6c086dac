// Level: push
import mongoose from 'mongoose';
import { dueSlots } from '#common/operations/due-slots.ts';
import { startScanner } from '#workers/scanner/scanner.ts';
import { afterEach, describe, eventually, expect, test } from '../support/jest.ts';
import { startWorld } from '../support/product/world.ts';
import { startProfiling, stopProfiling } from '../support/servers/profiler.ts';
import { useStandingTime } from '../support/standing-time.ts';

const processes = 20;
const maxPerS = 20;
/** A tick and a lease request of the other processes come round at least twice. */
const seconds = 9;

describe('twenty processes without work', () => {
  const world = startWorld({ hasTariffs: false });
  const { run, advance } = useStandingTime();
  const opened: { close(): Promise<void> }[] = [];
  afterEach(() => Promise.all(opened.splice(0).map((one) => one.close())));

  test('their scanners ask MongoDB less than twenty times a second in all', async () => {
    const { scannerHints: hints, bulkRedis: redis, workerMetrics } = world.workersOptions;
    let ticks = 0;
    const scanned = () => {
      ticks += 1;
    };
    const options = {
      ...world.workersOptions,
      slots: dueSlots,
      hints,
      redis,
      workerMetrics: { ...workerMetrics, scanned },
    };
    const states = Array.from({ length: processes }, () => ({ isScanning: false }));
    opened.push(...states.map((scanState) => run(() => startScanner({ ...options, scanState }))));
    await eventually(() => expect(ticks).toBe(1));

    await startProfiling();
    const profile = mongoose.connection.collection('system.profile');
    const asked = (filter = {}) => profile.countDocuments({ ns: { $not: /system\.profile$/ }, ...filter });
    for (let second = 1; second <= seconds; second += 1) {
      await advance(1_000);
      await eventually(() => expect(ticks).toBe(1 + second));
      // Every third second the other processes ask for the lease.
      const asks = second + Math.floor(second / 3) * (processes - 1);
      await eventually(async () => expect(await asked({ ns: /\.leases$/ })).toBe(asks));
    }
    const count = await asked();
    await stopProfiling();
    expect(count / seconds).toBeLessThan(maxPerS);
  });
});
