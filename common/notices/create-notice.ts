import { newId } from '../ids.ts';
import type { Transaction } from '../platform/mongo/transaction.ts';
import { Notice, type NoticeRecord } from './notice.model.ts';

export type NewNotice = Omit<NoticeRecord, '_id' | 'at' | 'mailedAt' | 'mailAt' | 'mailRounds' | 'mailedTo'>;

/**
 * Creates a notice in the transaction of its cause. Returns false and stores nothing if a notice with the same `key`
 * exists.
 */
export async function createNotice(transaction: Transaction, notice: NewNotice, at: Date): Promise<boolean> {
  const { upsertedCount } = await Notice.updateOne(
    { key: notice.key },
    { $setOnInsert: { _id: newId('ntc'), ...notice, at, mailedAt: null, mailAt: at, mailRounds: 0, mailedTo: [] } },
    { upsert: true, session: transaction },
  );
  return upsertedCount === 1;
}
