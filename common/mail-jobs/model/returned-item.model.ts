import mongoose from 'mongoose';
import { insertRows } from '#common/platform/mongo/mongo.ts';
import * as row from '#common/platform/mongo/row.ts';
import type { Transaction } from '#common/platform/mongo/transaction.ts';
import { returnReasons } from './returned.ts';

const fields = {
  /** The id of the item: it comes back once. */
  _id: row.text,
  ...row.owned,
  mailJobId: row.text,
  reason: row.oneOf(returnReasons),
  at: row.date,
  /**
   * `addressKeyOf` of the recipient, for warnings about the next letter. Only the last return of an address has it, and
   * none whose letter was redacted.
   */
  addressKey: row.optional(row.text),
};
/**
 * An item that came back, for lists. Rows of their own, because an index of the items in mail jobs would cost a write per
 * letter, and its rows would be letters.
 */
export type ReturnedItemRecord = row.RecordOf<typeof fields>;

const schema = row.schemaOf('returned_items', fields);
export const returnedItemsByOwner = { organizationId: 1, mode: 1, at: -1, _id: -1 } as const;
schema.index(returnedItemsByOwner);

export const returnsByAddress = { addressKey: 1 } as const;
schema.index(returnsByAddress, { unique: true, sparse: true });

export const ReturnedItem = mongoose.model('ReturnedItem', schema);

/** Records an item in the transaction in which it comes back. It becomes the last return of its address. */
export async function insertReturnedItem(transaction: Transaction, item: ReturnedItemRecord): Promise<void> {
  const { addressKey } = item;
  if (addressKey !== undefined) {
    await ReturnedItem.updateOne({ addressKey }, { $unset: { addressKey: '' } }, { session: transaction });
  }
  await insertRows(ReturnedItem, [item], transaction);
}
