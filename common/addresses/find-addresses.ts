import { isId } from '../ids.ts';
import type { Owner } from '../modes.ts';
import { Address, type AddressRecord } from './address.model.ts';

/** The entries of this owner that have one of these ids, by id. One that cannot be an id is one that nobody has. */
export async function findAddresses(
  { organizationId, mode }: Owner,
  addressIds: readonly string[],
): Promise<Map<string, AddressRecord>> {
  const ids = [...new Set(addressIds)].filter((id) => isId('adr', id));
  if (ids.length === 0) return new Map();
  const records = await Address.find({ _id: { $in: ids }, organizationId, mode }).lean<AddressRecord[]>();
  return new Map(records.map((record) => [record._id, record]));
}
