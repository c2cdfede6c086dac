import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../clock.ts';
import { countLeased } from '../platform/due-work/count-due.ts';
import { pauseDelayMs } from '../platform/due-work/pauses.ts';
import type { QueueName } from '../platform/redis/queues.ts';
import { dueSlots } from './due-slots.ts';

/** Between two counts of the work in progress. A count reads all due work, so a slow one is followed by a longer pause. */
const pollMs = 500;
const pollFactor = 4;
/** A worker reads the pauses just before it claims, and the claim itself takes a moment. */
const claimMs = 1_000;

/** Work in progress by queue, at most 1,000 of each. */
export type InProgress = Partial<Record<QueueName, number>>;

/**
 * Waits until no worker has any work in progress, after a pause of all work. Returns what is left after
 * `timeoutMs`: the work of a worker that was killed counts until its lease ends.
 */
export async function awaitDrained(clock: Clock, timeoutMs: number): Promise<InProgress> {
  const startedMs = performance.now();
  // Before this, a worker may still claim.
  const quietMs = pauseDelayMs + claimMs;
  for (;;) {
    const elapsedMs = performance.now() - startedMs;
    const left = await countInProgress(clock.now());
    const countMs = performance.now() - startedMs - elapsedMs;
    if (elapsedMs >= timeoutMs || (elapsedMs >= quietMs && Object.keys(left).length === 0)) return left;
    await sleep(Math.max(pollMs, pollFactor * countMs));
  }
}

async function countInProgress(now: Date): Promise<InProgress> {
  const counts = await Promise.all(dueSlots.map(async (slot) => [slot.queue, await countLeased(slot, now)] as const));
  return Object.fromEntries(counts.filter(([, count]) => count > 0));
}
