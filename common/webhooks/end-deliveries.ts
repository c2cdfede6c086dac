import { setTimeout as sleep } from 'node:timers/promises';
import { isSending } from './delivery-batch.ts';
import { discardWaiting } from './discard-waiting.ts';
import { Endpoint } from './endpoint.model.ts';
import { gateAgeMs } from './post-gate.ts';

/** How long to wait for deliveries that were under way when the webhook was changed. */
const maxWaitMs = 2_000;
const pollMs = 50;

/**
 * Ends the deliveries of a webhook that is marked as deleted or disabled. When this returns, no new POST to it starts:
 * what waited is discarded, and what was under way has ended, or asks before it writes (see `send-due-deliveries`).
 */
export async function endDeliveries(webhookId: string, at: Date): Promise<void> {
  await discardWaiting(webhookId, at);
  await outwaitPosts(webhookId, at);
}

/**
 * Waits until no worker starts a post any more by what it knew of a webhook before: what was under way has ended, or
 * asks before it writes. Returns at once when nobody is busy with it.
 */
export async function outwaitPosts(webhookId: string, at: Date): Promise<void> {
  const startedAt = performance.now();
  const isOver = () => performance.now() - startedAt >= maxWaitMs;
  while (!isOver() && (await mayStillPost(webhookId, { startedAt, at }))) await sleep(pollMs);
}

/**
 * Whether a worker is busy with a delivery, or holds the endpoint and does not know yet: between two posts it has none,
 * and takes what a fan-out that began before stores only now.
 */
async function mayStillPost(webhookId: string, { startedAt, at }: { startedAt: number; at: Date }): Promise<boolean> {
  // Looked at first: what is taken by old knowledge is seen as being sent after it.
  const isKnown = performance.now() - startedAt > gateAgeMs;
  if (await isSending(webhookId)) return true;
  return !isKnown && (await Endpoint.exists({ _id: webhookId, 'due.leaseUntil': { $gt: at } })) !== null;
}
