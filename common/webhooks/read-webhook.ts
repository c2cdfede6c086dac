import { AppError } from '../errors.ts';
import { modes, type Owner } from '../modes.ts';
import type { Transaction } from '../platform/transaction.ts';
import { Webhook, type WebhookRecord } from './webhook.model.ts';

/** A webhook of this owner, active or disabled. Throws NOT_FOUND for a deleted one and for every other. */
export async function readWebhook(
  { organizationId, mode }: Owner,
  webhookId: string,
  transaction: Transaction | null = null,
): Promise<WebhookRecord> {
  const webhook = await Webhook.findOne({ _id: webhookId, organizationId, mode, deletedAt: null })
    .session(transaction)
    .lean<WebhookRecord>();
  if (!webhook) throw new AppError('NOT_FOUND');
  return webhook;
}

/** The same for a person, who sees both modes of his organization. */
export async function findWebhook(organizationId: string, webhookId: string): Promise<WebhookRecord> {
  const mine = { _id: webhookId, organizationId, mode: { $in: modes }, deletedAt: null };
  const webhook = await Webhook.findOne(mine).lean<WebhookRecord>();
  if (!webhook) throw new AppError('NOT_FOUND');
  return webhook;
}

/** The same, for what only an active webhook can do. Throws WEBHOOK_DISABLED as well. */
export async function readActiveWebhook(owner: Owner, webhookId: string): Promise<WebhookRecord> {
  const webhook = await readWebhook(owner, webhookId);
  if (webhook.status === 'disabled') throw new AppError('WEBHOOK_DISABLED');
  return webhook;
}
