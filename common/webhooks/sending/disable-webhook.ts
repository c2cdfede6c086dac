import type { AuditActor } from '#common/audit/audit.model.ts';
import { type NewAuditEntry, recordAudit, recordAudits } from '#common/audit/record-audit.ts';
import { createNotice } from '#common/notices/notice.model.ts';
import { inTransaction, type Transaction } from '#common/platform/mongo/transaction.ts';
import type { Log } from '#common/platform/process/log.ts';
import type { DeliveryMetrics } from '../deliveries/delivery-metrics.ts';
import { Endpoint, type EndpointRecord, makeEndpointDue } from '../endpoints/endpoint.model.ts';
import { Webhook, type WebhookRecord } from '../registry/webhook.model.ts';

type DisableReason = 'GONE' | 'FAILING';

/**
 * Disables a webhook after a 410, or after five days without a success, and notifies its owner once. The worker
 * discards its pending deliveries. Does nothing for the address of a single mail job, because the next job may use
 * another path of the same origin. Does nothing when the endpoint was reset since `healthResets` was read: its health
 * may be that of another URL.
 */
export async function disableWebhook(
  { organizationId, mode, webhookId, healthResets }: EndpointRecord,
  reason: DisableReason,
  at: Date,
  { log, metrics }: { log: Log; metrics: DeliveryMetrics },
): Promise<void> {
  if (webhookId === null) return;
  const isNotified = await inTransaction(async (transaction) => {
    const wasReset = { _id: webhookId, healthResets: { $ne: healthResets ?? null } };
    if (await Endpoint.exists(wasReset).session(transaction)) return false;
    const webhook = await Webhook.findOneAndUpdate(
      { _id: webhookId, organizationId, mode, status: 'active', deletedAt: null },
      toDisabled(reason, at),
      { session: transaction },
    ).lean<WebhookRecord>();
    if (!webhook) return false;
    const entry = { action: 'webhook.disabled', subjectId: webhookId, organizationId, mode } as const;
    await recordAudit({ ...entry, detail: { reason } }, { kind: 'system', id: 'webhooks' }, at, transaction);
    const key = `WEBHOOK_DISABLED:${webhookId}:${at.toISOString()}`;
    const data = { url: webhook.url, reason };
    const about = { organizationId, mode, kind: 'WEBHOOK_DISABLED' as const, subjectId: webhookId, key, data };
    return await createNotice(transaction, about, at);
  });
  if (!isNotified) return;
  metrics.endpointsDisabled.inc();
  log.warn({ webhookId, reason }, 'webhook disabled');
}

const toDisabled = (disabledReason: DisableReason | 'CONSENT_ENDED', updatedAt: Date) =>
  ({ $set: { status: 'disabled', disabledReason, updatedAt }, $inc: { epoch: 1 } }) as const;

/**
 * Disables the active webhooks of OAuth grants in the transaction that ends these. Workers discard what waits for them, and
 * start no post later than a second after the commit.
 */
export async function disableWebhooksOfGrants(
  transaction: Transaction,
  grantIds: readonly string[],
  by: AuditActor | undefined,
  at: Date,
): Promise<void> {
  const ofGrants = { grantId: { $in: [...grantIds] }, status: 'active' as const, deletedAt: null };
  const webhooks = await Webhook.find(ofGrants).session(transaction).lean<WebhookRecord[]>();
  const reason = 'CONSENT_ENDED';
  await Webhook.updateMany(ofGrants, toDisabled(reason, at), { session: transaction });
  for (const { _id } of webhooks) await makeEndpointDue(transaction, _id, at);
  const entries = webhooks.map(({ _id: subjectId, organizationId, mode }): NewAuditEntry => {
    return { action: 'webhook.disabled', subjectId, organizationId, mode, detail: { reason } };
  });
  await recordAudits(entries, by, at, transaction);
}
