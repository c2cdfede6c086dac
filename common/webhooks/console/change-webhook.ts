import { reserveGrant } from '#common/access/live-grants.ts';
import type { AuditActor } from '#common/audit/audit.model.ts';
import { type NewAuditEntry, recordAudits } from '#common/audit/record-audit.ts';
import { eventKinds } from '#common/events/event.model.ts';
import type { Owner } from '#common/modes.ts';
import { inTransaction } from '#common/platform/mongo/transaction.ts';
import { discardEnded } from '../deliveries/discard-ended.ts';
import { makeEndpointDue, resetEndpoint } from '../endpoints/endpoint.model.ts';
import { requireTarget, type TargetUrlCheck } from '../registry/create-webhook.ts';
import { readWebhook } from '../registry/read-webhooks.ts';
import { Webhook, type WebhookRecord } from '../registry/webhook.model.ts';
import type { WebhookPatch } from '../registry/webhook.schema.ts';
import { reserveActiveWebhook, type WebhookQuota } from '../registry/webhook-quota.ts';
import { waitForPosts } from '../sending/wait-for-posts.ts';

/**
 * Changes the given fields of a webhook. Takes the same time however many deliveries are pending.
 *
 * Disabling discards the pending deliveries: one batch here, the rest by workers, even if the webhook is re-enabled
 * before they finish. A new URL applies to pending deliveries too. After either change returns, no post to the old
 * target starts. Re-enabling and a new URL reset the endpoint's health.
 *
 * The webhook then depends on the grant of the application that enabled it or set its URL, and on none if that was a key
 * or a user.
 *
 * Throws NOT_FOUND, VALIDATION_ERROR for a URL that deliveries may not go to, LIMIT_REACHED at the quota of active
 * webhooks, UNAUTHORIZED when the application's grant has ended.
 */
export async function changeWebhook(
  owner: Owner,
  webhookId: string,
  patch: WebhookPatch,
  deps: { checkTargetUrl: TargetUrlCheck } & WebhookQuota,
  at: Date,
  by?: AuditActor,
): Promise<WebhookRecord> {
  // Before the DNS look-up of the URL: without a webhook of their own, clients cannot use it to probe names.
  await readWebhook(owner, webhookId);
  if (patch.url !== undefined) await requireTarget(patch.url, deps);
  const changed = await inTransaction(async (transaction) => {
    const before = await readWebhook(owner, webhookId, transaction);
    const isReenabled = before.status === 'disabled' && patch.status === 'active';
    if (isReenabled) await reserveActiveWebhook(transaction, owner, deps);
    const isUrlChanged = patch.url !== undefined && patch.url !== before.url;
    const { grantId: formerGrantId, ...kept } = before;
    const isTakenOver = isReenabled || isUrlChanged;
    if (isTakenOver) await reserveGrant(transaction, by?.grantId, at);
    const grantId = isTakenOver ? by?.grantId : formerGrantId;
    const after = { ...kept, ...changesOf(patch, before), ...(grantId !== undefined && { grantId }), updatedAt: at };
    await Webhook.replaceOne({ _id: webhookId }, after, { session: transaction });
    await recordAudits(auditOf(before, after), by, at, transaction);
    const isDisabled = after.status === 'disabled';
    if (isReenabled || isUrlChanged) await resetEndpoint(transaction, webhookId, at);
    else if (isDisabled) await makeEndpointDue(transaction, webhookId, at);
    return { after, isDisabled, isUrlChanged };
  });
  const { after, isDisabled, isUrlChanged } = changed;
  const endpoint = { organizationId: owner.organizationId, endpointId: webhookId };
  if (isDisabled) await discardEnded(endpoint, after.epoch, at);
  if (isDisabled || isUrlChanged) await waitForPosts(endpoint);

  return after;
}

/** Returns audit entries for a new URL and for disabling or re-enabling. */
function auditOf(before: WebhookRecord, after: WebhookRecord): NewAuditEntry[] {
  const { _id: subjectId, organizationId, mode, url, status } = after;
  const entries: NewAuditEntry[] = [];
  if (url !== before.url) {
    const detail = { from: new URL(before.url).host, to: new URL(url).host };
    entries.push({ action: 'webhook.moved', subjectId, organizationId, mode, detail });
  }
  if (status !== before.status) {
    const action = status === 'active' ? 'webhook.enabled' : 'webhook.disabled';
    entries.push({ action, subjectId, organizationId, mode });
  }
  return entries;
}

function changesOf(patch: WebhookPatch, before: WebhookRecord): Partial<WebhookRecord> {
  const { url, events, description, status } = patch;
  return {
    ...(url !== undefined && { url }),
    ...(events !== undefined && { events: eventKinds.filter((kind) => events.includes(kind)) }),
    ...(description !== undefined && { description }),
    // Disabling a disabled webhook again keeps the original reason.
    ...(status !== undefined &&
      status !== before.status && {
        status,
        disabledReason: status === 'disabled' ? ('OWNER' as const) : null,
        epoch: before.epoch + 1,
      }),
  };
}
