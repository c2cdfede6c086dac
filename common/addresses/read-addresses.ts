import type { CursorCodec } from '../cursor.ts';
import { AppError } from '../errors.ts';
import { modes, type Owner } from '../modes.ts';
import { type Page, readPage } from '../platform/read-page.ts';
import { Address, type AddressKind, type AddressRecord } from './address.model.ts';
import { foldText } from './fold-text.ts';

/** An entry of this owner. Throws NOT_FOUND for every other one. */
export async function readAddress({ organizationId, mode }: Owner, addressId: string): Promise<AddressRecord> {
  const record = await Address.findOne({ _id: addressId, organizationId, mode }).lean<AddressRecord>();
  if (!record) throw new AppError('NOT_FOUND');
  return record;
}

/** An entry of this organization, of whichever mode: for people, who open it by its link. Throws NOT_FOUND. */
export async function readAddressOfAnyMode(organizationId: string, addressId: string): Promise<AddressRecord> {
  const filter = { _id: addressId, organizationId, mode: { $in: [...modes] } };
  const record = await Address.findOne(filter).lean<AddressRecord>();
  if (!record) throw new AppError('NOT_FOUND');
  return record;
}

export type AddressFilter = {
  kind?: AddressKind | undefined;
  /** Any part of name, city, postal code or label, without regard to case and accents. */
  q?: string | undefined;
  limit: number;
  cursor?: string | undefined;
};

/** An owner's entries, newest first. */
export async function listAddresses(
  { organizationId, mode }: Owner,
  { kind, q, limit, cursor }: AddressFilter,
  cursors: CursorCodec,
): Promise<Page<AddressRecord>> {
  const kindFilter = kind === undefined ? {} : { kind };
  // Every character stands for itself: what a caller types is text, never a pattern.
  const textFilter = q === undefined ? {} : { searchText: { $regex: RegExp.escape(foldText(q)) } };
  return await readPage<AddressRecord>({
    model: Address as never,
    filter: { organizationId, mode, ...kindFilter, ...textFilter },
    scope: { route: 'addresses', organizationId, mode, kind, q },
    cursors,
    cursor,
    limit,
  });
}
