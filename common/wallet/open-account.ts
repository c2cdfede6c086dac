import { createOrganization, type NewOrganization } from '../organizations/create-organization.ts';
import type { OrganizationRecord } from '../organizations/organization.model.ts';
import { inTransaction } from '../platform/transaction.ts';
import type { KeyRing } from '../secrets.ts';
import { openWallets } from './wallets.ts';

/** A new customer: the organization and its two wallets, the test one filled, or nothing at all. */
export async function openAccount(wanted: NewOrganization, keyRing: KeyRing, at: Date): Promise<OrganizationRecord> {
  return await inTransaction(async (transaction) => {
    const organization = await createOrganization(transaction, wanted, keyRing, at);
    await openWallets(transaction, organization._id, at);
    return organization;
  });
}
