import type { AuditActor } from '#common/audit/audit.model.ts';
import { recordAudit } from '#common/audit/record-audit.ts';
import { conflict } from '#common/errors.ts';
import { historyIdOf, ItemHistory } from '#common/mail-jobs/items/item-history.model.ts';
import { returnItem } from '#common/mail-jobs/items/return-item.ts';
import type { MailItem } from '#common/mail-jobs/model/mail-job.model.ts';
import type { ReturnedRecord, ReturnReason } from '#common/mail-jobs/model/returned.ts';
import { inTransaction, isInserted, type Transaction } from '#common/platform/mongo/transaction.ts';
import type { Hints } from '#common/platform/redis/queues.ts';
import { findBatchedItem } from '../batches/find-batched-item.ts';

/** A report that a copy came back. */
type ReturnReport = { itemId: string; reason: ReturnReason; by: AuditActor | undefined };

/** `isNew`: false when the return was recorded before. */
export type MarkedReturn = { itemId: string; mailJobId: string; returned: ReturnedRecord; isNew: boolean };

/**
 * Records that a copy came back after it was handed to the post. Its status stays, and no money moves: it was printed
 * and posted. A repeat with the same reason changes nothing. Throws NOT_FOUND for an item that is in no batch, CONFLICT
 * for one that is not posted or delivered, or that came back for another reason.
 */
export async function markReturned(
  report: ReturnReport,
  { hints, at }: { hints: Hints; at: Date },
): Promise<MarkedReturn> {
  const { itemId } = report;
  const historyId = historyIdOf({ itemId, kind: 'returned' });
  const { eventId, ...marked } = await inTransaction((transaction) => mark(transaction, report, at), {
    isStored: async (transaction, { isNew }) => isNew && (await isInserted(transaction, ItemHistory, historyId)),
  });
  if (eventId !== null) hints.notify('fan-out', [eventId]);
  return marked;
}

async function mark(
  transaction: Transaction,
  report: ReturnReport,
  at: Date,
): Promise<MarkedReturn & { eventId: string | null }> {
  const { itemId, reason, by } = report;
  const { job, item } = await findBatchedItem(itemId, transaction);
  const { _id: mailJobId, organizationId, mode } = job;
  const earlier = findEarlier(item, reason);
  if (earlier) return { itemId, mailJobId, returned: earlier, isNew: false, eventId: null };

  const entry = {
    action: 'item.returned',
    subjectId: itemId,
    organizationId,
    mode,
    detail: { mailJobId, reason },
  } as const;
  await recordAudit(entry, by, at, transaction);
  const { returned, eventId } = await returnItem(transaction, { job, item, reason, by: 'operator' }, at);
  return { itemId, mailJobId, returned, isNew: true, eventId };
}

/** Returns the recorded return with the same reason; null for the first one. Throws CONFLICT. */
function findEarlier({ itemId, status, returned }: MailItem, reason: ReturnReason): ReturnedRecord | null {
  if (returned && returned.reason !== reason) {
    throw conflict(`${itemId} came back already, with the reason ${returned.reason}.`);
  }
  if (returned) return returned;
  if (status === 'posted' || status === 'delivered') return null;
  throw conflict(`An item that is ${status} was not posted, so it cannot come back.`);
}
