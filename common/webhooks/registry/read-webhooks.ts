import type { CursorCodec } from '#common/cursor.ts';
import { AppError } from '#common/errors.ts';
import { modes, type Owner } from '#common/modes.ts';
import { type Page, readPage } from '#common/platform/mongo/read-page.ts';
import type { Transaction } from '#common/platform/mongo/transaction.ts';
import { Webhook, type WebhookRecord, type WebhookStatus } from './webhook.model.ts';

/** Returns a webhook of this owner, active or disabled. Throws NOT_FOUND, also for a deleted webhook. */
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

/** Returns a webhook of an organization in either mode. Throws NOT_FOUND. */
export async function findWebhook(organizationId: string, webhookId: string): Promise<WebhookRecord> {
  const filter = { _id: webhookId, organizationId, mode: { $in: modes }, deletedAt: null };
  const webhook = await Webhook.findOne(filter).lean<WebhookRecord>();
  if (!webhook) throw new AppError('NOT_FOUND');
  return webhook;
}

/** Returns an active webhook of this owner. Throws NOT_FOUND, WEBHOOK_DISABLED. */
export async function readActiveWebhook(owner: Owner, webhookId: string): Promise<WebhookRecord> {
  const webhook = await readWebhook(owner, webhookId);
  if (webhook.status === 'disabled') throw new AppError('WEBHOOK_DISABLED');
  return webhook;
}

export type WebhookFilter = { status: WebhookStatus; limit: number; cursor?: string | undefined };

/** Returns a page of an owner's webhooks of one status, newest first. */
export async function listWebhooks(
  owner: Owner,
  { status, limit, cursor }: WebhookFilter,
  cursors: CursorCodec,
): Promise<Page<WebhookRecord>> {
  const { organizationId, mode } = owner;
  return await readPage<WebhookRecord>({
    model: Webhook,
    filter: { organizationId, mode, deletedAt: null, status },
    scope: { route: 'webhooks', organizationId, mode, status },
    cursors,
    cursor,
    limit,
  });
}
