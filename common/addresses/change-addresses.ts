import { type Creator, creatorOf } from '../audit/created-by.ts';
import { invalid, notFound } from '../errors.ts';
import { checkZip } from '../fields/text.schema.ts';
import { newId } from '../ids.ts';
import type { Owner } from '../modes.ts';
import type { KeyClaim } from '../platform/idempotency/claim-key.ts';
import { retryOnDuplicateKey } from '../platform/mongo/retry-on-duplicate-key.ts';
import { inTransaction, isInserted, type Transaction, type TransactionOptions } from '../platform/mongo/transaction.ts';
import { Address, type AddressKind, type AddressRecord } from './address.model.ts';
import type { AddressPatch, AddressRequest } from './address.schema.ts';
import { searchTextOf } from './search-text.ts';

/**
 * Creates an entry. A new default replaces the former default of its kind in the same transaction, which also finishes
 * `claim`.
 */
export async function createAddress(
  owner: Creator,
  request: AddressRequest,
  at: Date,
  claim?: KeyClaim,
): Promise<AddressRecord> {
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
    ...creatorOf(owner.actor),
    createdAt: at,
    updatedAt: at,
  };
  const insert = async (transaction: Transaction) => {
    if (record.isDefault) await clearDefault(transaction, owner, record.kind, at);
    await Address.insertMany([record], { session: transaction });
    await claim?.finish(record._id, transaction);
    return record;
  };
  return await retryOnDefaultConflict(insert, {
    isStored: (transaction) => isInserted(transaction, Address, record._id, record),
  });
}

/**
 * Changes the given fields. A default entry that changes kind becomes the default of the new kind. Throws NOT_FOUND, or
 * VALIDATION_ERROR if the merged postal code does not fit the merged country.
 */
export async function changeAddress(
  owner: Owner,
  addressId: string,
  patch: AddressPatch,
  at: Date,
): Promise<AddressRecord> {
  const given = Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined));
  return await retryOnDefaultConflict(async (transaction) => {
    const { organizationId, mode } = owner;
    const filter = { _id: addressId, organizationId, mode };
    const before = await Address.findOne(filter).session(transaction).orFail(notFound).lean<AddressRecord>();
    const merged: AddressRecord = { ...before, ...given, updatedAt: at };
    const zipProblem = checkZip(merged);
    if (zipProblem) throw invalid(['zip'], zipProblem);
    const after = { ...merged, searchText: searchTextOf(merged) };
    const isNewDefault = after.isDefault && !(before.isDefault && before.kind === after.kind);
    if (isNewDefault) await clearDefault(transaction, owner, after.kind, at);
    const { searchText, updatedAt } = after;
    await Address.updateOne(filter, { $set: { ...given, searchText, updatedAt } }, { session: transaction });

    return after;
  });
}

/** Deletes an entry. Mail jobs keep their own copies. Throws NOT_FOUND. */
export async function deleteAddress({ organizationId, mode }: Owner, addressId: string): Promise<void> {
  const { deletedCount } = await Address.deleteOne({ _id: addressId, organizationId, mode });
  if (deletedCount === 0) throw notFound();
}

/** Clears the default entry of a kind. */
async function clearDefault(transaction: Transaction, owner: Owner, kind: AddressKind, at: Date): Promise<void> {
  const { organizationId, mode } = owner;
  await Address.updateMany(
    { organizationId, mode, kind, isDefault: true },
    { isDefault: false, updatedAt: at },
    { session: transaction },
  );
}

/** Each of several concurrent requests for the default can overtake the others once. */
const maxAttempts = 10;

/** Runs `work` in a transaction. Of two concurrent requests for the default, the unique index refuses one. */
async function retryOnDefaultConflict<T>(
  work: (transaction: Transaction) => Promise<T>,
  options: TransactionOptions<T> = {},
): Promise<T> {
  return await retryOnDuplicateKey(() => inTransaction(work, options), maxAttempts);
}
