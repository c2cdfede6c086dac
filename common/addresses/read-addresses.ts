import type { CursorCodec } from '../cursor.ts';
import { notFound } from '../errors.ts';
import { foldForSearch } from '../fields/fold-text.ts';
import { isId } from '../ids.ts';
import { modes, type Owner } from '../modes.ts';
import { type Page, type PageQuery, readPage } from '../platform/mongo/read-page.ts';
import { Address, type AddressKind, type AddressRecord } from './address.model.ts';

/** Returns an entry of this owner. Throws NOT_FOUND for any other. */
export async function readAddress({ organizationId, mode }: Owner, addressId: string): Promise<AddressRecord> {
  return await Address.findOne({ _id: addressId, organizationId, mode }).orFail(notFound).lean<AddressRecord>();
}

/** Returns an entry of this organization in either mode, for pages, which people open by link. Throws NOT_FOUND. */
export async function readAddressOfAnyMode(organizationId: string, addressId: string): Promise<AddressRecord> {
  const filter = { _id: addressId, organizationId, mode: { $in: [...modes] } };
  return await Address.findOne(filter).orFail(notFound).lean<AddressRecord>();
}

export type AddressFilter = PageQuery & {
  kind?: AddressKind | undefined;
  /** Any part of name, city, postal code or label, ignoring case and accents. */
  q?: string | undefined;
};

/** Lists an owner's entries, newest first. */
export async function listAddresses(
  { organizationId, mode }: Owner,
  { kind, q, ...page }: AddressFilter,
  cursors: CursorCodec,
): Promise<Page<AddressRecord>> {
  const kindFilter = kind === undefined ? {} : { kind };
  // Escaped, because the input is text, not a pattern.
  const textFilter = q === undefined ? {} : { searchText: { $regex: RegExp.escape(foldForSearch(q)) } };
  const filter = { organizationId, mode, ...kindFilter, ...textFilter };
  const scope = { route: 'addresses', organizationId, mode, kind, q };
  return await readPage<AddressRecord>({ model: Address as never, filter, scope }, page, cursors);
}

/** Returns the owner's entries with these ids, by id. Ignores malformed ids. */
export async function findAddresses(
  { organizationId, mode }: Owner,
  addressIds: readonly string[],
): Promise<Map<string, AddressRecord>> {
  const ids = [...new Set(addressIds)].filter((id) => isId('adr', id));
  if (ids.length === 0) return new Map();
  const records = await Address.find({ _id: { $in: ids }, organizationId, mode }).lean<AddressRecord[]>();
  return new Map(records.map((record) => [record._id, record]));
}
