import { newId } from '../ids.ts';
import { type Mode, modes } from '../modes.ts';
import type { Transaction } from '../platform/mongo/transaction.ts';
import { type KeyRing, newWebhookSecret } from '../secrets.ts';
import {
  jobWebhookSecretContext,
  Organization,
  type OrganizationRecord,
  type PostalAddress,
} from './organization.model.ts';

export type NewOrganization = { name: string; address: PostalAddress };

/** Creates an organization with one signing secret per mode for the webhooks of its jobs. */
export async function createOrganization(
  transaction: Transaction,
  { name, address }: NewOrganization,
  keyRing: KeyRing,
  at: Date,
): Promise<OrganizationRecord> {
  const organizationId = newId('org');
  const seal = (mode: Mode) => keyRing.encrypt(newWebhookSecret(), jobWebhookSecretContext(organizationId, mode));
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

/** Decrypts the job-webhook secrets, to show them to the owner or to sign with. */
export function decryptJobWebhookSecrets(organization: OrganizationRecord, keyRing: KeyRing): Record<Mode, string> {
  const open = (mode: Mode) =>
    keyRing.decrypt(organization.jobWebhookSecret[mode], jobWebhookSecretContext(organization._id, mode));
  const [test, live] = modes.map(open) as [string, string];
  return { test, live };
}
