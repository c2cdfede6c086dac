import { type Clock, plusMs } from '#common/clock.ts';
import { readBackupAgeS } from '#common/operations/backup-age.ts';
import { withTimeout } from '#common/platform/concurrency/with-timeout.ts';
import { readOldestDue } from '#common/platform/due-work/count-due.ts';
import type { DueSlot } from '#common/platform/due-work/due-work.ts';
import { pausableWorks } from '#common/platform/due-work/pause.model.ts';
import type { Pauses } from '#common/platform/due-work/pauses.ts';
import { createLease } from '#common/platform/mongo/lease.model.ts';
import type { Log } from '#common/platform/process/log.ts';
import type { ScanState } from '#common/platform/process/metrics.ts';
import type { Hints } from '#common/platform/redis/queues.ts';
import type { Redis } from '#common/platform/redis/redis.ts';
import type { WorkerMetrics } from '../process/worker-metrics.ts';
import { createSlotScan } from './scan-slot.ts';

export type ScannerOptions = {
  slots: readonly DueSlot[];
  hints: Hints;
  redis: Redis;
  /** Prefix of keys in Redis, and part of the name of the lease. */
  prefix: string;
  clock: Clock;
  pauses: Pauses;
  log: Log;
  workerMetrics: WorkerMetrics;
  /** Kept up to date here. */
  scanState: ScanState;
};

const tickMs = 1_000;
/** When the scanning process dies, its lease lasts this long. */
const leaseTtlMs = 5_000;
/** The other processes ask for the lease this often. Each second, twenty of them would cost more than all else when idle. */
const followMs = 3_000;

/**
 * Finds due work in MongoDB whose hint was lost, or that was planned for later, and sends hints. One process at a time
 * scans, by a lease: every second, and kinds without due work every other second, so a lost hint is found up to 2 s late.
 */
export function startScanner(options: ScannerOptions): { close(): Promise<void> } {
  const { slots, hints, redis, clock, pauses, log, prefix, workerMetrics, scanState } = options;
  const scans = slots.map((slot) => createSlotScan(slot, hints));
  const lease = createLease(`scanner:${prefix}`, leaseTtlMs);
  const dataLoss = createDataLossDetector(options);
  const isEnding = Promise.withResolvers<void>();
  let isOpen = true;

  async function tick(): Promise<void> {
    scanState.isScanning = await lease.hold().catch((error: unknown) => {
      // Another process may scan now: two would export the same figures.
      scanState.isScanning = false;
      throw error;
    });
    if (!scanState.isScanning) return;
    const now = clock.now();
    const startedMs = performance.now();
    const paused = await pauses.read();
    const hintsLostAt = await dataLoss.check(now);
    // A failure for one kind of work must not block the others.
    for (const scan of scans) await scan({ now, hintsLostAt, paused }).catch(report);
    await dataLoss.setMarker();
    workerMetrics.scanned((performance.now() - startedMs) / 1_000);
  }

  workerMetrics.watchDue(async () => {
    if (!scanState.isScanning) return [];
    const now = clock.now();
    const paused = await pauses.read();
    const ages = slots.map(async (slot) => {
      const { queue } = slot;
      const dueSince = await readOldestDue(slot, now, paused.of(queue));
      return [{ queue, ageS: dueSince === null ? 0 : (now.getTime() - dueSince.getTime()) / 1_000 }];
    });
    // Without the age of one kind of work, those of the others are shown.
    return (await Promise.all(ages.map((age) => age.catch(() => [])))).flat();
  });

  workerMetrics.watchBackup(async () => (scanState.isScanning ? await readBackupAgeS(clock.now()) : null));
  workerMetrics.watchPauses(async () => {
    if (!scanState.isScanning) return [];
    const { current } = await pauses.read();
    const nowMs = clock.now().getTime();
    return pausableWorks.flatMap((work) =>
      [true, false].map((isOfAll) => {
        const pausesOf = current.filter((pause) => pause.work === work && isOfAll === (pause.organizationId === null));
        const agesMs = pausesOf.map(({ since }) => nowMs - since.getTime());
        return { work, isOfAll, ageS: Math.max(0, ...agesMs) / 1_000 };
      }),
    );
  });

  /** The next tick retries. An unreachable Redis is logged by its client. */
  const report = (error: unknown) => log[redis.status === 'ready' ? 'warn' : 'debug']({ err: error }, 'scan failed');

  async function loop(): Promise<void> {
    while (isOpen) {
      const startedAt = performance.now();
      const isFollowing = await tick().then(
        () => !scanState.isScanning,
        (error: unknown) => {
          report(error);
          return false;
        },
      );
      const everyMs = isFollowing ? followMs : tickMs;
      await withTimeout(isEnding.promise, Math.max(0, everyMs - (performance.now() - startedAt)), () => {});
    }
  }
  const looping = loop();

  return {
    async close() {
      isOpen = false;
      isEnding.resolve();
      await looping;
      scanState.isScanning = false;
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
