import { type Clock, plusMs } from '../common/clock.ts';
import { type DueSlot, findUnhinted, markHinted } from '../common/platform/due-work.ts';
import { createLease } from '../common/platform/lease.model.ts';
import type { Log } from '../common/platform/log.ts';
import type { Hints } from '../common/platform/queues.ts';
import type { Redis } from '../common/platform/redis.ts';
import type { WorkerMetrics } from './worker-metrics.ts';

export type ScannerOptions = {
  slots: readonly DueSlot[];
  hints: Hints;
  redis: Redis;
  /** Key prefix in Redis, and part of the lease's name. */
  prefix: string;
  clock: Clock;
  log: Log;
  workerMetrics: WorkerMetrics;
};

const tickMs = 1_000;
/** A scanner that dies is followed by another process's after this time. */
const leaseTtlMs = 5_000;
/** Hints sent in one tick and slot: what is left over goes with the next tick. */
const maxHints = 1_000;
/** With as many messages of a queue waiting, its workers have enough to do: more would only pile up in Redis. */
const maxWaiting = 2_000;
/** Messages of one call: small enough for Redis to be back from it in milliseconds. */
const hintsAtOnce = 100;
/** A worker's clock may be a little behind: a hint that comes early finds nothing due, and is used up. */
const clockMarginMs = 50;

/**
 * Finds due work in MongoDB whose hint was lost, or that was planned for later, and hints at it. One process at a time
 * does, by a lease; it looks every second, so a lost hint costs a second.
 */
export function startScanner(options: ScannerOptions): { close(): Promise<void> } {
  const { slots, hints, redis, clock, log, prefix, workerMetrics } = options;
  const lease = createLease(`scanner:${prefix}`, leaseTtlMs);
  const forgetting = createForgettingWatch(options);
  const isEnding = Promise.withResolvers<void>();
  let isOpen = true;

  async function tick(): Promise<void> {
    const now = clock.now();
    if (!(await lease.hold(now))) return;
    const startedMs = performance.now();
    const forgottenAt = await forgetting.check(now);
    for (const slot of slots) {
      // One kind of work that cannot be hinted at must not keep the others waiting.
      await hintAt(slot, { now, forgottenAt, limit: maxHints }, hints).catch(report);
    }
    await forgetting.remember();
    workerMetrics.scanned((performance.now() - startedMs) / 1_000);
  }

  /** Nothing is lost: the next tick looks again. A Redis that is away is reported by its client. */
  const report = (error: unknown) => log[redis.status === 'ready' ? 'warn' : 'debug']({ err: error }, 'scan failed');

  async function loop(): Promise<void> {
    while (isOpen) {
      const startedAt = performance.now();
      await tick().catch(report);
      await Promise.race([isEnding.promise, pause(Math.max(0, tickMs - (performance.now() - startedAt)))]);
    }
  }
  const looping = loop();

  return {
    async close() {
      isOpen = false;
      isEnding.resolve();
      await looping;
      await lease.release();
    },
  };
}

const pause = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms).unref());

async function hintAt(
  slot: DueSlot,
  search: { now: Date; forgottenAt: Date; limit: number },
  hints: Hints,
): Promise<void> {
  const found = await findUnhinted(slot, search);
  if (found.length === 0 || (await hints.countWaiting(slot.queue)) >= maxWaiting) return;
  const delayOf = (at: Date) => {
    const aheadMs = at.getTime() - search.now.getTime();
    return aheadMs > 0 ? aheadMs + clockMarginMs : 0;
  };
  for (let start = 0; start < found.length; start += hintsAtOnce) {
    const some = found.slice(start, start + hintsAtOnce);
    const ids = some.map(({ id }) => id);
    // Marked first: a process that dies in between costs a hint, which comes again, and never doubles them without end.
    await markHinted(slot, ids, search.now);
    try {
      await hints.add(some.map(({ id, at }) => ({ queue: slot.queue, id, delayMs: delayOf(at) })));
    } catch (error) {
      await markHinted(slot, ids, null);
      throw error;
    }
  }
}

/**
 * Notices that Redis has forgotten everything (flushed, or replaced by an empty one): a marker that was set is gone.
 * All hints sent before are then taken for lost.
 */
function createForgettingWatch({ redis, prefix }: ScannerOptions) {
  const key = `${prefix}:marker`;
  let forgottenAt = new Date(0);
  let isMarked = true;

  return {
    /** Since when hints count; a new moment when the marker is gone. */
    async check(now: Date): Promise<Date> {
      isMarked = (await redis.get(key)) !== null;
      // A hint marked in this very tick is sent after this moment.
      if (!isMarked) forgottenAt = plusMs(now, -1);
      return forgottenAt;
    },
    async remember(): Promise<void> {
      if (!isMarked) await redis.set(key, '1');
    },
  };
}
