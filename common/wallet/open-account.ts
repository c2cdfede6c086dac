import type { AuditActor } from '../audit/audit.model.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { createOrganization, type NewOrganization } from '../organizations/create-organization.ts';
import { Organization, type OrganizationRecord } from '../organizations/organization.model.ts';
import { inTransaction, isInserted, type Transaction } from '../platform/mongo/transaction.ts';
import type { KeyRing } from '../secrets.ts';
import { openWallets } from './wallets.ts';

/** Creates an organization with its two wallets in one transaction; the test wallet gets its opening balance. */
export async function openAccount(
  wanted: NewOrganization,
  keyRing: KeyRing,
  at: Date,
  by?: AuditActor,
): Promise<OrganizationRecord> {
  const isStored = (transaction: Transaction, { _id }: OrganizationRecord) =>
    isInserted(transaction, Organization, _id);
  const open = async (transaction: Transaction) => {
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
  };
  return await inTransaction(open, { isStored });
}
