import { AppError } from '../errors.ts';
import { newId } from '../ids.ts';
import type { Owner } from '../modes.ts';
import { Organization } from '../organizations/organization.model.ts';
import { inTransaction } from '../platform/transaction.ts';
import { type KeyRing, newWebhookSecret } from '../secrets.ts';
import { eventKinds } from './event.model.ts';
import { Webhook, type WebhookRecord, webhookSecretContext } from './webhook.model.ts';
import type { WebhookRequest } from './webhook.schema.ts';

/** `checkTargetUrl` with the operator's rules: the problems of an address, none when it may be called. */
export type TargetUrlCheck = (url: string) => Promise<string[]>;

/** Active webhooks of one organization and mode; each event costs a delivery for every one of them. */
const maxActive = 100;

/**
 * Stores a webhook. The returned secret is shown this once. Throws VALIDATION_ERROR for an address that may not be
 * called, LIMIT_REACHED when there are 100 active ones already.
 */
export async function createWebhook(
  owner: Owner,
  request: WebhookRequest,
  deps: { checkTargetUrl: TargetUrlCheck; keyRing: KeyRing },
  at: Date,
): Promise<{ record: WebhookRecord; secret: string }> {
  const problems = await deps.checkTargetUrl(request.url);
  if (problems.length > 0) {
    throw new AppError('VALIDATION_ERROR', { issues: problems.map((message) => ({ path: ['url'], message })) });
  }
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
    // Two counts side by side would both see the last free place: writing one document makes the second start again.
    const raised = { $inc: { [`webhooksCreated.${mode}`]: 1 } };
    await Organization.updateOne({ _id: organizationId }, raised, { session: transaction });
    const active = { organizationId, mode, deletedAt: null, status: 'active' as const };
    const count = await Webhook.countDocuments(active, { session: transaction });
    if (count >= maxActive) {
      throw new AppError('LIMIT_REACHED', { message: `There are ${maxActive} active webhooks. Delete one first.` });
    }
    await Webhook.insertMany([record], { session: transaction });
  });

  return { record, secret };
}
