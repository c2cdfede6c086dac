import mongoose from 'mongoose';
import { newId } from '../ids.ts';
import * as row from '../platform/mongo/row.ts';
import type { Transaction } from '../platform/mongo/transaction.ts';

/** The kinds of notices. They do not go through webhooks, because a webhook may be what is broken. */
export const noticeKinds = ['WEBHOOK_DISABLED', 'LOW_BALANCE', 'BULK_PAUSED'] as const;

const fields = {
  /** `ntc_…`. */
  _id: row.text,
  ...row.owned,
  kind: row.oneOf(noticeKinds),
  /** The id of the webhook, wallet or bulk concerned. */
  subjectId: row.text,
  /** Identifies the cause. Unique: each cause has one notice. */
  key: row.text,
  /** Values for the texts. Never a secret. */
  data: row.mixed<Record<string, string | number>>(),
  at: row.date,
  /** When all users had received it by e-mail; null until then. */
  mailedAt: row.nullable(row.date),
  /** When to mail it next; null if nothing is left to do. */
  mailAt: row.nullable(row.date),
  /** Rounds of mailing started so far. */
  mailRounds: row.defaulting(row.number, 0),
  /** Ids of users who received it. A later round skips them. */
  mailedTo: row.list(row.text),
};
export type NoticeRecord = row.RecordOf<typeof fields>;

const schema = row.schemaOf('notices', fields);
schema.index({ key: 1 }, { unique: true });
schema.index({ organizationId: 1, mode: 1, _id: -1 });
// Notices waiting to be mailed, longest waiting first.
schema.index({ mailAt: 1 }, { partialFilterExpression: { mailAt: { $type: 'date' } } });

export const Notice = mongoose.model('Notice', schema);

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
