import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../clock.ts';
import { countLeased } from '../platform/due-work/count-due.ts';
import { pauseDelayMs } from '../platform/due-work/pauses.ts';
import type { QueueName } from '../platform/redis/queues.ts';
import { dueSlots } from './due-slots.ts';

/** How often the work in progress is counted. */
const pollMs = 500;
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
    if (elapsedMs >= timeoutMs || (elapsedMs >= quietMs && Object.keys(left).length === 0)) return left;
    await sleep(pollMs);
  }
}

async function countInProgress(now: Date): Promise<InProgress> {
  const counts = await Promise.all(dueSlots.map(async (slot) => [slot.queue, await countLeased(slot, now)] as const));
  return Object.fromEntries(counts.filter(([, count]) => count > 0));
}
