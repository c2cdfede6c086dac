import { AppError } from '#common/errors.ts';
import type { Owner } from '#common/modes.ts';
import { Organization, type OrganizationRecord } from '#common/organizations/organization.model.ts';
import type { Transaction } from '#common/platform/mongo/transaction.ts';
import { Webhook } from './webhook.model.ts';

/**
 * Maximum number of active webhooks of one organization and mode, set by the operator for all organizations that have no
 * limit of their own. Each event costs one delivery per active webhook.
 */
export type WebhookQuota = { maxActiveWebhooks: number };

/** Limit including disabled webhooks: each fan-out reads the webhooks of all owners of its events. */
export const maxStored = 1_000;

/** Reserves quota for one more active webhook in the transaction that activates it. Throws LIMIT_REACHED. */
export async function reserveActiveWebhook(
  transaction: Transaction,
  { organizationId, mode }: Owner,
  { maxActiveWebhooks }: WebhookQuota,
): Promise<void> {
  // Concurrent transactions could both count the last free quota: a write to the same document makes one of them retry.
  const increment = { $inc: { [`webhooksCreated.${mode}`]: 1 } };
  const organization = await Organization.findOneAndUpdate({ _id: organizationId }, increment, { session: transaction })
    .select({ limits: 1 })
    .lean<Pick<OrganizationRecord, 'limits'>>();
  const limit = organization?.limits?.activeWebhooks ?? maxActiveWebhooks;
  const active = { organizationId, mode, deletedAt: null, status: 'active' as const };
  const count = await Webhook.countDocuments(active, { session: transaction });
  if (count >= limit) {
    const message = `There are ${count} active webhooks, and ${limit} are allowed. Delete one first.`;
    throw new AppError('LIMIT_REACHED', { message });
  }
}

/** Reserves quota for a new webhook: disabled webhooks count as well. Throws LIMIT_REACHED. */
export async function reserveNewWebhook(transaction: Transaction, owner: Owner, limit: WebhookQuota): Promise<void> {
  await reserveActiveWebhook(transaction, owner, limit);
  const { organizationId, mode } = owner;
  const count = await Webhook.countDocuments({ organizationId, mode, deletedAt: null }, { session: transaction });
  if (count >= maxStored) {
    const message = `There are ${maxStored} webhooks, with the disabled ones. Delete one first.`;
    throw new AppError('LIMIT_REACHED', { message });
  }
}
