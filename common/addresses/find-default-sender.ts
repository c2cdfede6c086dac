import { LRUCache } from 'lru-cache';
import type { Owner } from '../modes.ts';
import { Organization, type OrganizationRecord, type PostalAddress } from '../organizations/organization.model.ts';
import { createGroupRead } from '../platform/group-read.ts';
import { findRows } from '../platform/mongo.ts';
import { Address, type AddressRecord } from './address.model.ts';

/** Who a letter comes from when it does not say: the default SENDER of the address book, else the organization. */
export async function findDefaultSender(owner: Owner): Promise<PostalAddress> {
  const entry = await findDefaultEntry(owner);
  return entry ? toPostalAddress(entry) : await readOrganizationAddress(owner.organizationId);
}

const nameOf = ({ organizationId, mode }: Owner) => `${organizationId} ${mode}`;

/** Asked for each letter that names no sender, so the letters of an instant share the question. */
const findDefaultEntry = createGroupRead<Owner, AddressRecord>({
  nameOf,
  maxKeys: 256,
  async read(owners) {
    const organizationIds = [...new Set(owners.map(({ organizationId }) => organizationId))];
    const modes = [...new Set(owners.map(({ mode }) => mode))];
    const filter = {
      organizationId: { $in: organizationIds },
      mode: { $in: modes },
      kind: 'SENDER',
      isDefault: true,
    } as const;
    const limit = organizationIds.length * modes.length;
    const entries = await findRows<AddressRecord>(Address, filter, { limit });
    return new Map(entries.map((entry) => [nameOf(entry), entry]));
  },
});

/** An organization that moves has its new address on its letters after this time at most. */
const addressTtlMs = 5_000;
const addresses = new LRUCache<string, PostalAddress>({ max: 10_000, ttl: addressTtlMs });

async function readOrganizationAddress(organizationId: string): Promise<PostalAddress> {
  const known = addresses.get(organizationId);
  if (known) return known;
  const { address } = await Organization.findById(organizationId).orFail().lean<OrganizationRecord>();
  addresses.set(organizationId, address);
  return address;
}

function toPostalAddress({ name, line1, line2, zip, city, country }: PostalAddress): PostalAddress {
  return { name, line1, line2, zip, city, country };
}
