import mongoose from 'mongoose';
import { insertRows } from '#common/platform/mongo/mongo.ts';
import * as row from '#common/platform/mongo/row.ts';
import type { Transaction } from '#common/platform/mongo/transaction.ts';

/** Every step that is recorded. What the mail job itself records (queued, rendered) is not repeated here. */
export const historyKinds = [
  'rescheduled',
  'postponed',
  'batched',
  'printed',
  'reprinted',
  'tracked',
  'posted',
  'scanned',
  'delivered',
  'returned',
  'failed',
  'refunded',
] as const;

/** Who caused a step. Customers see it, so it never names a person. */
const historyActors = ['sender', 'sandbox', 'rendering', 'press', 'operator', 'carrier'] as const;
export type HistoryActor = (typeof historyActors)[number];

/** A few plain values; never names or addresses of people. */
export type HistoryDetail = Record<string, string | number | boolean | null>;

const fields = {
  /** `<itemId>:<kind>:<key>`: a step is recorded once. */
  _id: row.text,
  mailJobId: row.text,
  ...row.owned,
  itemId: row.text,
  at: row.date,
  kind: row.oneOf(historyKinds),
  by: row.oneOf(historyActors),
  detail: row.mixed<HistoryDetail>(),
};
export type HistoryRecord = row.RecordOf<typeof fields>;

const schema = row.schemaOf('item_history', fields);
schema.index({ organizationId: 1, mailJobId: 1, at: 1 });
row.makeAppendOnly(schema, 'The history of an item is append-only.');

export const ItemHistory = mongoose.model('ItemHistory', schema);

/** A step to record. `key` tells repeated steps of one kind apart; most kinds happen once and have none. */
export type HistoryStep = Omit<HistoryRecord, '_id'> & { key?: string };

/** Returns the id under which a step is stored. */
export function historyIdOf({ itemId, kind, key = '' }: Pick<HistoryStep, 'itemId' | 'kind' | 'key'>): string {
  return `${itemId}:${kind}:${key}`;
}

/** Returns how many steps of one kind are recorded for an item, as the transaction sees it. */
export async function countSteps(
  transaction: Transaction,
  { organizationId, itemId, kind }: Pick<HistoryStep, 'organizationId' | 'itemId' | 'kind'>,
): Promise<number> {
  const ids = { $gte: `${itemId}:${kind}:`, $lt: `${itemId}:${kind};` };
  return await ItemHistory.countDocuments({ _id: ids, organizationId }).hint({ _id: 1 }).session(transaction);
}

/** Records steps in the transaction that takes them. A step that is already recorded aborts the transaction. */
export async function appendHistory(transaction: Transaction, steps: readonly HistoryStep[]): Promise<void> {
  const rows = steps.map(
    ({ key, ...step }): HistoryRecord => ({ _id: historyIdOf({ ...step, ...(key && { key }) }), ...step }),
  );
  await insertRows(ItemHistory, rows, transaction);
}
