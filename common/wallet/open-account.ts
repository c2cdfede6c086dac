import type { AuditActor } from '../organizations/audit.model.ts';
import { createOrganization, type NewOrganization } from '../organizations/create-organization.ts';
import type { OrganizationRecord } from '../organizations/organization.model.ts';
import { recordAudit } from '../organizations/record-audit.ts';
import { inTransaction } from '../platform/transaction.ts';
import type { KeyRing } from '../secrets.ts';
import { openWallets } from './wallets.ts';

/** A new customer: the organization and its two wallets, the test one filled, or nothing at all. */
export async function openAccount(
  wanted: NewOrganization,
  keyRing: KeyRing,
  at: Date,
  by?: AuditActor,
): Promise<OrganizationRecord> {
  return await inTransaction(async (transaction) => {
    const organization = await createOrganization(transaction, wanted, keyRing, at);
    await openWallets(transaction, organization._id, at);
    const { _id: organizationId } = organization;
    await recordAudit(
      { action: 'organization.created', subjectId: organizationId, organizationId },
      by,
      at,
      transaction,
    );
    return organization;
  });
}
