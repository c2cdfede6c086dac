import { reserveGrant } from '#common/access/live-grants.ts';
import type { AuditActor } from '#common/audit/audit.model.ts';
import { creatorOf } from '#common/audit/created-by.ts';
import { recordAudit } from '#common/audit/record-audit.ts';
import { AppError } from '#common/errors.ts';
import { eventKinds } from '#common/events/event.model.ts';
import { newId } from '#common/ids.ts';
import type { Owner } from '#common/modes.ts';
import type { KeyClaim } from '#common/platform/idempotency/claim-key.ts';
import { inTransaction, isInserted } from '#common/platform/mongo/transaction.ts';
import { type KeyRing, newWebhookSecret } from '#common/secrets.ts';
import { Webhook, type WebhookRecord, webhookSecretContext } from './webhook.model.ts';
import type { WebhookRequest } from './webhook.schema.ts';
import { reserveNewWebhook, type WebhookQuota } from './webhook-quota.ts';

/** `checkTargetUrl` with the operator's rules. Returns the problems of a URL; none when deliveries may go to it. */
export type TargetUrlCheck = (url: string) => Promise<string[]>;

/** Throws VALIDATION_ERROR at `field` for a URL that deliveries may not go to. */
export async function requireTarget(
  url: string,
  deps: { checkTargetUrl: TargetUrlCheck },
  field = 'url',
): Promise<void> {
  const problems = await deps.checkTargetUrl(url);
  if (problems.length === 0) return;
  throw new AppError('VALIDATION_ERROR', { issues: problems.map((message) => ({ path: [field], message })) });
}

/**
 * Creates a webhook, and finishes `claim` in the same transaction. The returned secret cannot be read again. Throws
 * VALIDATION_ERROR for a URL that deliveries may not go to, LIMIT_REACHED at the quota of active webhooks or at 1,000
 * including disabled ones, and UNAUTHORIZED when the application's grant has ended.
 */
export async function createWebhook(
  owner: Owner,
  request: WebhookRequest,
  deps: { checkTargetUrl: TargetUrlCheck; keyRing: KeyRing } & WebhookQuota,
  at: Date,
  by?: AuditActor,
  claim?: KeyClaim,
): Promise<{ record: WebhookRecord; secret: string }> {
  await requireTarget(request.url, deps);
  const { organizationId, mode } = owner;
  const webhookId = newId('wh');
  const secret = newWebhookSecret();
  const record: WebhookRecord = {
    _id: webhookId,
    organizationId,
    mode,
    url: request.url,
    events: eventKinds.filter((kind) => request.events.includes(kind)),
    description: request.description ?? null,
    secret: deps.keyRing.encrypt(secret, webhookSecretContext(webhookId)),
    status: 'active',
    disabledReason: null,
    ...creatorOf(by),
    ...(by?.grantId !== undefined && { grantId: by.grantId }),
    epoch: 0,
    createdAt: at,
    updatedAt: at,
    deletedAt: null,
  };
  await inTransaction(
    async (transaction) => {
      await reserveGrant(transaction, by?.grantId, at);
      await reserveNewWebhook(transaction, owner, deps);
      await Webhook.insertMany([record], { session: transaction });
      await claim?.finish(webhookId, transaction);
      const entry = { action: 'webhook.created', subjectId: webhookId, organizationId, mode } as const;
      await recordAudit({ ...entry, detail: { host: new URL(record.url).host } }, by, at, transaction);
    },
    { isStored: (transaction) => isInserted(transaction, Webhook, webhookId) },
  );

  return { record, secret };
}
