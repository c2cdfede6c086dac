import { AppError } from '../errors.ts';
import type { Owner } from '../modes.ts';
import { endDeliveries } from './end-deliveries.ts';
import { Webhook } from './webhook.model.ts';

/**
 * Stops a webhook for good; when this returns, no new POST to it starts. Throws NOT_FOUND, for one deleted before too.
 */
export async function deleteWebhook(owner: Owner, webhookId: string, at: Date): Promise<void> {
  const { organizationId, mode } = owner;
  const { matchedCount } = await Webhook.updateOne(
    { _id: webhookId, organizationId, mode, deletedAt: null },
    { deletedAt: at, updatedAt: at },
  );
  if (matchedCount === 0) throw new AppError('NOT_FOUND');
  await endDeliveries(webhookId, at);
}
