import type { Owner } from '../modes.ts';
import { Organization, type OrganizationRecord, type PostalAddress } from '../organizations/organization.model.ts';
import { createCachedReads } from '../platform/concurrency/cached-reads.ts';
import { createBatcher } from '../platform/concurrency/create-batcher.ts';
import { findRows } from '../platform/mongo/mongo.ts';
import { Address, type AddressRecord } from './address.model.ts';

/** `isEntry`: from the address book, which not every credential may read. */
export type DefaultSender = { address: PostalAddress; isEntry: boolean };

/**
 * Returns the sender of a letter that names none: the default SENDER of the address book, else the organization's
 * address.
 */
export async function findDefaultSender(owner: Owner): Promise<DefaultSender> {
  const entry = await findDefaultEntry(owner);
  if (entry) return { address: toPostalAddress(entry), isEntry: true };
  const { organizationId } = owner;
  return {
    address: await addresses.get(organizationId, () => readOrganizationAddress(organizationId)),
    isEntry: false,
  };
}

const nameOf = ({ organizationId, mode }: Owner) => `${organizationId} ${mode}`;

/** Every letter without a sender needs this, so concurrent letters share one query. */
const findDefaultEntry = createBatcher<Owner, AddressRecord | undefined>({
  maxItems: 256,
  async run(owners) {
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
    const byOwner = new Map(entries.map((entry) => [nameOf(entry), entry]));
    return owners.map((owner) => byOwner.get(nameOf(owner)));
  },
});

/** How long a changed organization address may still be missing on letters. */
const addressTtlMs = 5_000;
const addresses = createCachedReads<PostalAddress>({ maxAgeMs: addressTtlMs });

async function readOrganizationAddress(organizationId: string): Promise<PostalAddress> {
  const { address } = await Organization.findById(organizationId).orFail().lean<OrganizationRecord>();
  return address;
}

function toPostalAddress({ name, line1, line2, zip, city, country }: PostalAddress): PostalAddress {
  return { name, line1, line2, zip, city, country };
}
