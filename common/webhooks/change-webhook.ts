import type { Owner } from '../modes.ts';
import { inTransaction } from '../platform/transaction.ts';
import { holdActivePlace, type WebhookLimit } from './active-place.ts';
import { requireTarget, type TargetUrlCheck } from './create-webhook.ts';
import { Delivery } from './delivery.model.ts';
import { endDeliveries, outwaitPosts } from './end-deliveries.ts';
import { resetEndpoint } from './endpoint.model.ts';
import { eventKinds } from './event.model.ts';
import { readWebhook } from './read-webhook.ts';
import { Webhook, type WebhookRecord } from './webhook.model.ts';
import type { WebhookPatch } from './webhook.schema.ts';

/**
 * Changes the fields that are given. Disabled, a webhook gets nothing more once this has returned, and what waited for
 * it is discarded; enabled again, it starts afresh. A new url also counts for what waits: once this has returned, no
 * POST to the old one starts, and how that one was doing is forgotten.
 * Throws NOT_FOUND, VALIDATION_ERROR for an address that may not be called, LIMIT_REACHED when it cannot be enabled.
 */
export async function changeWebhook(
  owner: Owner,
  webhookId: string,
  patch: WebhookPatch,
  deps: { checkTargetUrl: TargetUrlCheck } & WebhookLimit,
  at: Date,
): Promise<WebhookRecord> {
  // Before the addresses of a url are looked up: nobody learns about names by a webhook that he has not.
  await readWebhook(owner, webhookId);
  if (patch.url !== undefined) await requireTarget(patch.url, deps);
  const changed = await inTransaction(async (transaction) => {
    const before = await readWebhook(owner, webhookId, transaction);
    const isEnabled = before.status === 'disabled' && patch.status === 'active';
    if (isEnabled) await holdActivePlace(transaction, owner, deps);
    const after = { ...before, ...changesOf(patch, before), updatedAt: at };
    const { _id: _, ...fields } = after;
    await Webhook.updateOne({ _id: webhookId }, { $set: fields }, { session: transaction });
    const isMoved = after.url !== before.url;
    if (isEnabled || isMoved) await resetEndpoint(transaction, webhookId, at);
    return { after, isMoved };
  });
  const { after, isMoved } = changed;
  if (after.status === 'disabled') await endDeliveries(webhookId, at);
  else if (isMoved) await moveWaiting(after, at);

  return after;
}

/** What waits is sent to the webhook's url of that moment in any case; here it is also shown so. */
async function moveWaiting({ _id: endpointId, url }: WebhookRecord, at: Date): Promise<void> {
  await outwaitPosts(endpointId, at);
  await Delivery.updateMany({ endpointId, state: 'due' }, { url });
}

function changesOf(patch: WebhookPatch, before: WebhookRecord): Partial<WebhookRecord> {
  const { url, events, description, status } = patch;
  return {
    ...(url !== undefined && { url }),
    ...(events !== undefined && { events: eventKinds.filter((kind) => events.includes(kind)) }),
    ...(description !== undefined && { description }),
    // Disabling what is disabled already keeps why it was.
    ...(status !== undefined &&
      status !== before.status && { status, disabledReason: status === 'disabled' ? ('OWNER' as const) : null }),
  };
}
