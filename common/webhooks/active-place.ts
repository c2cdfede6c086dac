import { AppError } from '../errors.ts';
import type { Owner } from '../modes.ts';
import { Organization } from '../organizations/organization.model.ts';
import type { Transaction } from '../platform/transaction.ts';
import { Webhook } from './webhook.model.ts';

/**
 * `maxActiveWebhooks` of one organization and mode, as the operator allows; each event costs a delivery for every one of
 * them.
 */
export type WebhookLimit = { maxActiveWebhooks: number };

/** With the disabled ones: each round of a fan-out looks at all webhooks of everybody whose events it takes. */
const maxKept = 1_000;

/** Makes sure, in the transaction that makes a webhook active, that there is a place for it. Throws LIMIT_REACHED. */
export async function holdActivePlace(
  transaction: Transaction,
  { organizationId, mode }: Owner,
  { maxActiveWebhooks }: WebhookLimit,
): Promise<void> {
  // Two counts side by side would both see the last free place: writing one document makes the second start again.
  const raised = { $inc: { [`webhooksCreated.${mode}`]: 1 } };
  await Organization.updateOne({ _id: organizationId }, raised, { session: transaction });
  const active = { organizationId, mode, deletedAt: null, status: 'active' as const };
  const count = await Webhook.countDocuments(active, { session: transaction });
  if (count >= maxActiveWebhooks) {
    const message = `There are ${maxActiveWebhooks} active webhooks. Delete one first.`;
    throw new AppError('LIMIT_REACHED', { message });
  }
}

/** The same for one that is made: those that are disabled count as well. Throws LIMIT_REACHED. */
export async function holdNewPlace(transaction: Transaction, owner: Owner, limit: WebhookLimit): Promise<void> {
  await holdActivePlace(transaction, owner, limit);
  const { organizationId, mode } = owner;
  const count = await Webhook.countDocuments({ organizationId, mode, deletedAt: null }, { session: transaction });
  if (count >= maxKept) {
    const message = `There are ${maxKept} webhooks, with the disabled ones. Delete one first.`;
    throw new AppError('LIMIT_REACHED', { message });
  }
}
