import { type Clock, plusMs } from '#common/clock.ts';
import { withTimeout } from '#common/platform/batching/with-timeout.ts';
import { readOldestDue } from '#common/platform/due-work/count-due.ts';
import type { DueSlot } from '#common/platform/due-work/due-work.ts';
import { createLease } from '#common/platform/mongo/lease.model.ts';
import type { Log } from '#common/platform/process/log.ts';
import type { Hints } from '#common/platform/redis/queues.ts';
import type { Redis } from '#common/platform/redis/redis.ts';
import type { WorkerMetrics } from '../worker-metrics.ts';
import { createSlotScan } from './scan-slot.ts';

export type ScannerOptions = {
  slots: readonly DueSlot[];
  hints: Hints;
  redis: Redis;
  /** Prefix of keys in Redis, and part of the name of the lease. */
  prefix: string;
  clock: Clock;
  log: Log;
  workerMetrics: WorkerMetrics;
};

const tickMs = 1_000;
/** When the scanning process dies, another one takes over after this time. */
const leaseTtlMs = 5_000;

/**
 * Finds due work in MongoDB whose hint was lost, or that was planned for later, and sends hints. One process at a time
 * scans, by a lease. It scans every second, so a lost hint costs a second.
 */
export function startScanner(options: ScannerOptions): { close(): Promise<void> } {
  const { slots, hints, redis, clock, log, prefix, workerMetrics } = options;
  const scans = slots.map((slot) => createSlotScan(slot, hints));
  const lease = createLease(`scanner:${prefix}`, leaseTtlMs);
  const dataLoss = createDataLossDetector(options);
  const isEnding = Promise.withResolvers<void>();
  let isOpen = true;
  let isScanning = false;

  async function tick(): Promise<void> {
    isScanning = await lease.hold();
    if (!isScanning) return;
    const now = clock.now();
    const startedMs = performance.now();
    const hintsLostAt = await dataLoss.check(now);
    // A failure for one kind of work must not block the others.
    for (const scan of scans) await scan({ now, hintsLostAt }).catch(report);
    await dataLoss.setMarker();
    workerMetrics.scanned((performance.now() - startedMs) / 1_000);
  }

  // One process counts for all: twenty that did would be a load of their own.
  workerMetrics.watchDue(async () => {
    if (!isScanning) return [];
    const now = clock.now();
    const ages = slots.map(async ({ queue, ...slot }) => {
      const dueSince = await readOldestDue({ queue, ...slot }, now);
      return [{ queue, ageS: dueSince === null ? 0 : (now.getTime() - dueSince.getTime()) / 1_000 }];
    });
    // Without the age of one kind of work, those of the others are shown.
    return (await Promise.all(ages.map((age) => age.catch(() => [])))).flat();
  });

  /** The next tick retries. An unreachable Redis is logged by its client. */
  const report = (error: unknown) => log[redis.status === 'ready' ? 'warn' : 'debug']({ err: error }, 'scan failed');

  async function loop(): Promise<void> {
    while (isOpen) {
      const startedAt = performance.now();
      await tick().catch(report);
      await withTimeout(isEnding.promise, Math.max(0, tickMs - (performance.now() - startedAt)), () => {});
    }
  }
  const looping = loop();

  return {
    async close() {
      isOpen = false;
      isEnding.resolve();
      await looping;
      isScanning = false;
      await lease.release();
    },
  };
}

/** Detects that Redis has lost its data (flushed or replaced): its marker key is gone. All earlier hints then count as lost. */
function createDataLossDetector({ redis, prefix }: ScannerOptions) {
  const key = `${prefix}:marker`;
  let hintsLostAt = new Date(0);
  let hasMarker = true;

  return {
    /** Returns the time before which hints count as lost. */
    async check(now: Date): Promise<Date> {
      hasMarker = (await redis.get(key)) !== null;
      // Hints of this tick, which are marked with `now`, must count.
      if (!hasMarker) hintsLostAt = plusMs(now, -1);
      return hintsLostAt;
    },
    async setMarker(): Promise<void> {
      if (!hasMarker) await redis.set(key, '1');
    },
  };
}
