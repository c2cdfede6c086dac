import { setTimeout as sleep } from 'node:timers/promises';
import { discardWaiting, isSending } from './delivery-batch.ts';

/** How long to wait for deliveries that were under way when the webhook was stopped. */
const maxWaitMs = 2_000;
const pollMs = 50;

/**
 * Ends the deliveries of a webhook that is marked as deleted or disabled. When this returns, no new POST to it starts:
 * what waited is discarded, and what was under way has ended, or asks before it writes (see `send-due-deliveries`).
 */
export async function endDeliveries(webhookId: string, at: Date): Promise<void> {
  await discardWaiting(webhookId, at, false);
  const endsAt = performance.now() + maxWaitMs;
  while (performance.now() < endsAt && (await isSending(webhookId))) await sleep(pollMs);
}
