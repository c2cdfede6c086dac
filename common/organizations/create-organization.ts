import { newId } from '../ids.ts';
import { type Mode, modes } from '../modes.ts';
import type { Transaction } from '../platform/transaction.ts';
import { type KeyRing, newWebhookSecret } from '../secrets.ts';
import { Organization, type OrganizationRecord, type PostalAddress } from './organization.model.ts';

export type NewOrganization = { name: string; address: PostalAddress };

/** Stores an organization with a signing secret for its jobs' own webhooks, one a mode. */
export async function createOrganization(
  transaction: Transaction,
  { name, address }: NewOrganization,
  keyRing: KeyRing,
  at: Date,
): Promise<OrganizationRecord> {
  const organizationId = newId('org');
  const seal = (mode: Mode) => keyRing.encrypt(newWebhookSecret(), secretContext(organizationId, mode));
  const record: OrganizationRecord = {
    _id: organizationId,
    name,
    address,
    jobWebhookSecret: { test: seal('test'), live: seal('live') },
    createdAt: at,
  };
  await Organization.create([record], { session: transaction });

  return record;
}

/** The secrets in the open, for the owner's eyes and for signing. */
export function openJobWebhookSecrets(organization: OrganizationRecord, keyRing: KeyRing): Record<Mode, string> {
  const open = (mode: Mode) =>
    keyRing.decrypt(organization.jobWebhookSecret[mode], secretContext(organization._id, mode));
  const [test, live] = modes.map(open) as [string, string];
  return { test, live };
}

const secretContext = (organizationId: string, mode: Mode) => `job-webhook-secret:${organizationId}:${mode}`;
