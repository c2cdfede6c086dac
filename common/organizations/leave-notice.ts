import { newId } from '../ids.ts';
import type { Transaction } from '../platform/transaction.ts';
import { Notice, type NoticeRecord } from './notice.model.ts';

export type NewNotice = Omit<NoticeRecord, '_id' | 'at' | 'mailedAt' | 'mailAt' | 'mailRounds' | 'mailedTo'>;

/**
 * Tells an organization something, in the transaction that makes it so. Whether it is news: false, with nothing stored,
 * when the same cause (`key`) was told before.
 */
export async function leaveNotice(transaction: Transaction, notice: NewNotice, at: Date): Promise<boolean> {
  const { upsertedCount } = await Notice.updateOne(
    { key: notice.key },
    { $setOnInsert: { _id: newId('ntc'), ...notice, at, mailedAt: null, mailAt: at, mailRounds: 0, mailedTo: [] } },
    { upsert: true, session: transaction },
  );
  return upsertedCount === 1;
}
