import type { AuditActor } from '#common/audit/audit.model.ts';
import { recordAudit } from '#common/audit/record-audit.ts';
import { notFound } from '#common/errors.ts';
import type { Owner } from '#common/modes.ts';
import { inTransaction } from '#common/platform/mongo/transaction.ts';
import { discardEnded } from '../deliveries/discard-ended.ts';
import { makeEndpointDue } from '../endpoints/endpoint.model.ts';
import { Webhook, type WebhookRecord } from '../registry/webhook.model.ts';
import { waitForPosts } from '../sending/wait-for-posts.ts';

/**
 * Deletes a webhook. After this returns, no post to it starts. Discards one batch of pending deliveries and leaves the
 * rest to workers, so it takes the same time however many are pending. Throws NOT_FOUND, also for a deleted webhook.
 */
export async function deleteWebhook(owner: Owner, webhookId: string, at: Date, by?: AuditActor): Promise<void> {
  const { organizationId, mode } = owner;
  const { epoch } = await inTransaction(async (transaction) => {
    const webhook = await Webhook.findOneAndUpdate(
      { _id: webhookId, organizationId, mode, deletedAt: null },
      { $set: { deletedAt: at, updatedAt: at }, $inc: { epoch: 1 } },
      { session: transaction, returnDocument: 'after' },
    )
      .orFail(notFound)
      .lean<WebhookRecord>();
    await makeEndpointDue(transaction, webhookId, at);
    const entry = { action: 'webhook.deleted', subjectId: webhookId, organizationId, mode } as const;
    await recordAudit(entry, by, at, transaction);
    return webhook;
  });
  const endpoint = { organizationId, endpointId: webhookId };
  await discardEnded(endpoint, epoch, at);
  await waitForPosts(endpoint);
}
