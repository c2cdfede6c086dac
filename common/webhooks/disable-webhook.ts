import { leaveNotice } from '../organizations/leave-notice.ts';
import type { Log } from '../platform/log.ts';
import { inTransaction } from '../platform/transaction.ts';
import type { DeliveryMetrics } from './delivery-metrics.ts';
import { Endpoint, type EndpointRecord } from './endpoint.model.ts';
import { Webhook, type WebhookRecord } from './webhook.model.ts';

export type DisabledByUs = 'GONE' | 'FAILING';

/**
 * Disables a webhook that must not be called any more: its receiver said so (410), or nothing has come through for five
 * days. Its owner is told once; what waits is left to the worker, to be discarded. An address that jobs bring along is
 * nobody's to disable: the next job may bring another path of the same origin. Nothing happens when the endpoint has been
 * reset since `resets` was read: what is known of it may be about another url.
 */
export async function disableWebhook(
  { organizationId, mode, webhookId, resets }: EndpointRecord,
  reason: DisabledByUs,
  at: Date,
  { log, metrics }: { log: Log; metrics: DeliveryMetrics },
): Promise<void> {
  if (webhookId === null) return;
  const isNews = await inTransaction(async (transaction) => {
    const wasReset = { _id: webhookId, resets: { $ne: resets ?? null } };
    if (await Endpoint.exists(wasReset).session(transaction)) return false;
    const webhook = await Webhook.findOneAndUpdate(
      { _id: webhookId, organizationId, mode, status: 'active', deletedAt: null },
      { status: 'disabled', disabledReason: reason, updatedAt: at },
      { session: transaction },
    ).lean<WebhookRecord>();
    if (!webhook) return false;
    const key = `WEBHOOK_DISABLED:${webhookId}:${at.toISOString()}`;
    const data = { url: webhook.url, reason };
    const about = { organizationId, mode, kind: 'WEBHOOK_DISABLED' as const, subjectId: webhookId, key, data };
    return await leaveNotice(transaction, about, at);
  });
  if (!isNews) return;
  metrics.endpointsDisabled.inc();
  log.warn({ webhookId, reason }, 'webhook disabled');
}
