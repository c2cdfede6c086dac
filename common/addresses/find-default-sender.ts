import type { Owner } from '../modes.ts';
import { Organization, type OrganizationRecord, type PostalAddress } from '../organizations/organization.model.ts';
import { Address, type AddressRecord } from './address.model.ts';

/** Who a letter comes from when it does not say: the default SENDER of the address book, else the organization. */
export async function findDefaultSender({ organizationId, mode }: Owner): Promise<PostalAddress> {
  const entry = await Address.findOne({ organizationId, mode, kind: 'SENDER', isDefault: true }).lean<AddressRecord>();
  if (entry) return toPostalAddress(entry);
  const organization = await Organization.findById(organizationId).orFail().lean<OrganizationRecord>();
  return organization.address;
}

function toPostalAddress({ name, line1, line2, zip, city, country }: PostalAddress): PostalAddress {
  return { name, line1, line2, zip, city, country };
}
