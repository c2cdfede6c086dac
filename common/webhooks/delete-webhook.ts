import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../errors.ts';
import type { Owner } from '../modes.ts';
import { discardWaiting, isSending } from './delivery-batch.ts';
import { Webhook } from './webhook.model.ts';

/** How long a deletion waits for deliveries that were under way when it came. */
const maxWaitMs = 2_000;
const pollMs = 50;

/**
 * Stops a webhook for good. When this returns, no new POST to it starts: what waited is discarded, and what was under
 * way has ended, or asks before it writes (see `send-due-deliveries`). Throws NOT_FOUND, for one deleted before too.
 */
export async function deleteWebhook(owner: Owner, webhookId: string, at: Date): Promise<void> {
  const { organizationId, mode } = owner;
  const { matchedCount } = await Webhook.updateOne(
    { _id: webhookId, organizationId, mode, deletedAt: null },
    { deletedAt: at, updatedAt: at },
  );
  if (matchedCount === 0) throw new AppError('NOT_FOUND');
  await discardWaiting(webhookId, at, false);
  const endsAt = performance.now() + maxWaitMs;
  while (performance.now() < endsAt && (await isSending(webhookId))) await sleep(pollMs);
}
