import { rowsOf } from '#common/platform/mongo/mongo.ts';
import type { Transaction } from '#common/platform/mongo/transaction.ts';
import { readLetterTime } from '#common/sandbox/clocks/letter-time.ts';
import { appendItemReturned } from '../events/item-event.ts';
import { type MailItem, MailJob, type MailJobRecord } from '../model/mail-job.model.ts';
import type { ReturnedRecord, ReturnReason } from '../model/returned.ts';
import { insertReturnedItem } from '../model/returned-item.model.ts';
import { addressKeyOf } from '../rules/address-key.ts';
import { appendHistory, type HistoryActor } from './item-history.model.ts';
import { retentionAfter } from './retention-after.ts';

/** A copy that came back: its job and itself as the transaction reads them. */
export type ReturningItem = {
  job: MailJobRecord;
  item: MailItem;
  reason: ReturnReason;
  by: HistoryActor;
};

/**
 * Writes that a copy came back: its reason, history, row in the list of returns, and event. Its status stays, and no
 * money moves. The last copy on its way settles the letter. The caller checks that it was posted and has not come back
 * before. Returns the job as it is now, and the event's id.
 */
export async function returnItem(
  transaction: Transaction,
  { job, item, reason, by }: ReturningItem,
  at: Date,
): Promise<{ job: MailJobRecord; returned: ReturnedRecord; eventId: string }> {
  const { _id: mailJobId, organizationId, mode } = job;
  const { itemId } = item;
  const letterAt = await readLetterTime(job, at, transaction);
  const returned = { reason, at: letterAt };
  const items = job.items.map((each) => (each.itemId === itemId ? { ...each, returned } : each));
  const after = { ...job, items, updatedAt: at };
  const settled = retentionAfter(job, after, letterAt);
  const change = { $set: { 'items.$.returned': returned, updatedAt: at, ...settled } };
  await rowsOf<MailJobRecord>(MailJob).updateOne({ _id: mailJobId, organizationId, 'items.itemId': itemId }, change, {
    session: transaction,
    hint: { _id: 1 },
  });
  const owned = { organizationId, mode };
  const step = { mailJobId, ...owned, itemId, at: letterAt, kind: 'returned', by, detail: { reason } } as const;
  await appendHistory(transaction, [step]);
  // The address of a redacted letter is erased.
  const address = job.redactedAt ? {} : { addressKey: addressKeyOf(owned, item) };
  await insertReturnedItem(transaction, { _id: itemId, ...owned, mailJobId, ...returned, ...address });
  const eventId = await appendItemReturned(transaction, { job, itemId, reason, letterAt }, at);
  return { job: { ...after, ...settled }, returned, eventId };
}
