import type { CursorCodec } from '../cursor.ts';
import type { Owner } from '../modes.ts';
import { type Page, readPage } from '../platform/read-page.ts';
import { Webhook, type WebhookRecord, type WebhookStatus } from './webhook.model.ts';

export type WebhookFilter = { status: WebhookStatus; limit: number; cursor?: string | undefined };

/** An owner's webhooks of one status, newest first. */
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
