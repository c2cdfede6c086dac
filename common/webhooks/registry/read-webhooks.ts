import type { CursorCodec } from '#common/cursor.ts';
import { AppError, notFound } from '#common/errors.ts';
import { modes, type Owner } from '#common/modes.ts';
import { type Page, type PageQuery, readPage } from '#common/platform/mongo/read-page.ts';
import type { Transaction } from '#common/platform/mongo/transaction.ts';
import { Webhook, type WebhookRecord, type WebhookStatus } from './webhook.model.ts';

/** Returns a webhook of this owner, active or disabled. Throws NOT_FOUND, also for a deleted webhook. */
export async function readWebhook(
  { organizationId, mode }: Owner,
  webhookId: string,
  transaction: Transaction | null = null,
): Promise<WebhookRecord> {
  return await Webhook.findOne({ _id: webhookId, organizationId, mode, deletedAt: null })
    .session(transaction)
    .orFail(notFound)
    .lean<WebhookRecord>();
}

/** Returns a webhook of an organization in either mode. Throws NOT_FOUND. */
export async function findWebhook(organizationId: string, webhookId: string): Promise<WebhookRecord> {
  const filter = { _id: webhookId, organizationId, mode: { $in: modes }, deletedAt: null };
  return await Webhook.findOne(filter).orFail(notFound).lean<WebhookRecord>();
}

/** Returns an active webhook of this owner. Throws NOT_FOUND, WEBHOOK_DISABLED. */
export async function readActiveWebhook(owner: Owner, webhookId: string): Promise<WebhookRecord> {
  const webhook = await readWebhook(owner, webhookId);
  if (webhook.status === 'disabled') throw new AppError('WEBHOOK_DISABLED');
  return webhook;
}

/** Returns a page of an owner's webhooks of one status, newest first. */
export async function listWebhooks(
  { organizationId, mode }: Owner,
  { status, ...page }: PageQuery & { status: WebhookStatus },
  cursors: CursorCodec,
): Promise<Page<WebhookRecord>> {
  const filter = { organizationId, mode, deletedAt: null, status };
  const scope = { route: 'webhooks', organizationId, mode, status };
  return await readPage<WebhookRecord>({ model: Webhook, filter, scope }, page, cursors);
}
