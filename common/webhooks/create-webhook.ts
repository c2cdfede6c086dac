import { AppError } from '../errors.ts';
import { newId } from '../ids.ts';
import type { Owner } from '../modes.ts';
import { inTransaction } from '../platform/transaction.ts';
import { type KeyRing, newWebhookSecret } from '../secrets.ts';
import { holdNewPlace, type WebhookLimit } from './active-place.ts';
import { eventKinds } from './event.model.ts';
import { Webhook, type WebhookRecord, webhookSecretContext } from './webhook.model.ts';
import type { WebhookRequest } from './webhook.schema.ts';

/** `checkTargetUrl` with the operator's rules: the problems of an address, none when it may be called. */
export type TargetUrlCheck = (url: string) => Promise<string[]>;

/** Throws VALIDATION_ERROR at `["url"]` for an address that may not be called. */
export async function requireTarget(url: string, deps: { checkTargetUrl: TargetUrlCheck }): Promise<void> {
  const problems = await deps.checkTargetUrl(url);
  if (problems.length > 0) {
    throw new AppError('VALIDATION_ERROR', { issues: problems.map((message) => ({ path: ['url'], message })) });
  }
}

/**
 * Stores a webhook. The returned secret is shown this once. Throws VALIDATION_ERROR for an address that may not be
 * called, LIMIT_REACHED when there are as many active ones as may be, or 1,000 with the disabled ones.
 */
export async function createWebhook(
  owner: Owner,
  request: WebhookRequest,
  deps: { checkTargetUrl: TargetUrlCheck; keyRing: KeyRing } & WebhookLimit,
  at: Date,
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
    createdAt: at,
    updatedAt: at,
    deletedAt: null,
  };
  await inTransaction(async (transaction) => {
    await holdNewPlace(transaction, owner, deps);
    await Webhook.insertMany([record], { session: transaction });
  });

  return { record, secret };
}
