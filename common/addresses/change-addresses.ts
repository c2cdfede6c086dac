import { AppError, invalid } from '../errors.ts';
import { newId } from '../ids.ts';
import type { Owner } from '../modes.ts';
import { isDuplicateKey } from '../platform/mongo.ts';
import { inTransaction, type Transaction } from '../platform/transaction.ts';
import { checkZip } from '../text.schema.ts';
import { Address, type AddressKind, type AddressRecord } from './address.model.ts';
import type { AddressPatch, AddressRequest } from './address.schema.ts';
import { searchTextOf } from './fold-text.ts';

/** Stores an entry. One that is the default takes that from the former one of its kind, in the same transaction. */
export async function createAddress(owner: Owner, request: AddressRequest, at: Date): Promise<AddressRecord> {
  const { organizationId, mode } = owner;
  const fields = {
    ...request,
    line2: request.line2 ?? null,
    label: request.label ?? null,
    isDefault: request.isDefault ?? false,
  };
  const record: AddressRecord = {
    _id: newId('adr'),
    organizationId,
    mode,
    ...fields,
    searchText: searchTextOf(fields),
    createdAt: at,
    updatedAt: at,
  };
  return await inDefaultRace(async (transaction) => {
    if (record.isDefault) await takeDefault(transaction, owner, record.kind, at);
    await Address.insertMany([record], { session: transaction });
    return record;
  });
}

/**
 * Changes the fields that are given. A default that changes its kind becomes the default of the new kind.
 * Throws NOT_FOUND, or VALIDATION_ERROR when the merged postal code does not fit the merged country.
 */
export async function changeAddress(
  owner: Owner,
  addressId: string,
  patch: AddressPatch,
  at: Date,
): Promise<AddressRecord> {
  const given = Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined));
  return await inDefaultRace(async (transaction) => {
    const { organizationId, mode } = owner;
    const filter = { _id: addressId, organizationId, mode };
    const before = await Address.findOne(filter).session(transaction).lean<AddressRecord>();
    if (!before) throw new AppError('NOT_FOUND');
    const merged: AddressRecord = { ...before, ...given, updatedAt: at };
    const zipProblem = checkZip(merged);
    if (zipProblem) throw invalid(['zip'], zipProblem);
    const after = { ...merged, searchText: searchTextOf(merged) };
    const isNewDefault = after.isDefault && !(before.isDefault && before.kind === after.kind);
    if (isNewDefault) await takeDefault(transaction, owner, after.kind, at);
    const { _id: _, ...changes } = after;
    await Address.updateOne(filter, { $set: changes }, { session: transaction });

    return after;
  });
}

/** Deletes an entry for good; mail jobs keep their own copies. Throws NOT_FOUND. */
export async function deleteAddress({ organizationId, mode }: Owner, addressId: string): Promise<void> {
  const { deletedCount } = await Address.deleteOne({ _id: addressId, organizationId, mode });
  if (deletedCount === 0) throw new AppError('NOT_FOUND');
}

/** Takes the default from whichever entry has it. */
async function takeDefault(transaction: Transaction, owner: Owner, kind: AddressKind, at: Date): Promise<void> {
  const { organizationId, mode } = owner;
  await Address.updateMany(
    { organizationId, mode, kind, isDefault: true },
    { isDefault: false, updatedAt: at },
    { session: transaction },
  );
}

const maxRounds = 10;

/** Of two requests that race for the default, the unique index refuses one; it looks again, and takes it after all. */
async function inDefaultRace<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
  for (let round = 1; ; round += 1) {
    try {
      return await inTransaction(work);
    } catch (error) {
      if (!isDuplicateKey(error) || round === maxRounds) throw error;
    }
  }
}
