import type { AuditActor } from '#common/audit/audit.model.ts';
import { recordAudit } from '#common/audit/record-audit.ts';
import { conflict, invalid } from '#common/errors.ts';
import { advanceItems } from '#common/mail-jobs/items/advance-items.ts';
import type { MailItem, MailJobRecord } from '#common/mail-jobs/model/mail-job.model.ts';
import type { MailStatus } from '#common/mail-jobs/model/mail-status.ts';
import { findTransition } from '#common/mail-jobs/rules/lifecycle.ts';
import type { Hints } from '#common/platform/redis/queues.ts';
import type { BatchState } from '../batches/batch.model.ts';
import { type BatchedItem, findBatchedItem } from '../batches/find-batched-item.ts';
import { readBatch } from '../batches/read-batch.ts';
import { moveBatchOn } from '../submission/move-batch-on.ts';
import { liveFailure } from './set-letter-status.ts';

/** What an operator may report about one item. */
export const itemMarks = ['printed', 'posted', 'delivered', 'failed'] as const;
export type ItemMark = (typeof itemMarks)[number];

export type ItemReport = {
  itemId: string;
  mark: ItemMark;
  /** Why it failed, shown to the sender of the letter. Required for `failed`, and only then allowed. */
  reason?: string | undefined;
  by?: AuditActor | undefined;
};

/**
 * Returns what an operator may report about an item with a status. While its batch is open, nothing of it is printed: it
 * may only fail.
 */
export function openMarks(status: MailStatus, batchState: BatchState): ItemMark[] {
  return itemMarks.filter(
    (mark) => findTransition(status, mark) !== null && (mark === 'failed' || batchState !== 'open'),
  );
}

/**
 * Records the result of one item. A failed item is refunded its share, and the others of its letter continue. Throws
 * NOT_FOUND, VALIDATION_ERROR for a missing or needless reason, and CONFLICT when the item is past that or its batch is
 * still open.
 */
export async function markItem(
  { itemId, mark, reason, by }: ItemReport,
  { hints, at }: { hints: Hints; at: Date },
): Promise<BatchedItem> {
  if (mark === 'failed' && reason === undefined) throw invalid(['reason'], 'Say why it failed: its sender sees it.');
  if (mark !== 'failed' && reason !== undefined) throw invalid(['reason'], 'A reason goes with failed.');
  const { item, job, batchId } = await findBatchedItem(itemId);
  if (item.status === mark) {
    // The process that recorded it may have died before it moved the batch on.
    await moveBatchOn(batchId, { at });
    throw conflict(`This item is ${mark} already.`);
  }
  if (mark !== 'failed' && (await readBatch(batchId)).state === 'open') {
    throw conflict('The batch of this item is still open, so nothing of it is printed.');
  }
  if (!findTransition(item.status, mark)) {
    throw conflict(`An item that is ${item.status} cannot become ${mark}.`);
  }
  const { organizationId, mode } = job;
  const detail = { from: item.status, to: mark, mailJobId: job._id, batchId };
  const entry = { action: 'item.status-set', subjectId: itemId, organizationId, mode, detail } as const;
  const { job: moved, eventId } = await advanceItems(
    {
      mailJobId: job._id,
      owner: { organizationId, mode },
      itemIds: [itemId],
      target: mark,
      ...(mark === 'failed' && { failure: liveFailure(item.status, reason) }),
      by: 'operator',
      nextStepDelayS: 0,
      require: (read) => requireSameStatus(read, item),
      alongside: (transaction) => recordAudit(entry, by, at, transaction),
    },
    at,
  );
  if (eventId !== null) hints.notify('fan-out', [eventId]);
  await moveBatchOn(batchId, { at });
  return { item: moved.items.find((each) => each.itemId === itemId) ?? item, job: moved, batchId };
}

/** The audit entry and the reason of a failure say from which status the item came. */
function requireSameStatus({ items }: MailJobRecord, { itemId, status }: MailItem): void {
  const now = items.find((each) => each.itemId === itemId)?.status;
  if (now === status) return;
  throw conflict(`This item is ${now} now, no longer ${status}. Try again.`);
}
