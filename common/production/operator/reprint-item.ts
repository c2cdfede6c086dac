import type { AuditActor } from '#common/audit/audit.model.ts';
import { recordAudit } from '#common/audit/record-audit.ts';
import { conflict } from '#common/errors.ts';
import {
  appendHistory,
  countSteps,
  type HistoryRecord,
  ItemHistory,
} from '#common/mail-jobs/items/item-history.model.ts';
import { MailJob } from '#common/mail-jobs/model/mail-job.model.ts';
import type { MailStatus } from '#common/mail-jobs/model/mail-status.ts';
import { updateRows } from '#common/platform/mongo/mongo.ts';
import { inTransaction } from '#common/platform/mongo/transaction.ts';
import { type BatchedItem, findBatchedItem } from '../batches/find-batched-item.ts';

/** The statuses in which a copy may be printed again: later, the letter is at the post office. */
const reprintable = ['queued', 'printed'] as const satisfies readonly MailStatus[];
/** Beyond this, something else is wrong. */
const maxReprints = 20;

/** Returns whether the copy of an item with this status may be printed again. */
export function isReprintable(status: MailStatus): boolean {
  return reprintable.some((each) => each === status);
}

/**
 * Records that an operator prints the copy of an item again, because the first one is spoiled or lost. Its status stays.
 * `reason` is one line; the sender of the letter sees it. Throws NOT_FOUND, and CONFLICT for an item that is neither
 * queued nor printed or was reprinted 20 times. Returns how often the item was reprinted.
 */
export async function reprintItem(
  { itemId, reason, by }: { itemId: string; reason: string; by?: AuditActor | undefined },
  at: Date,
): Promise<{ count: number } & BatchedItem> {
  const found = await findBatchedItem(itemId);
  const { item, job, batchId } = found;
  if (!isReprintable(item.status)) {
    throw conflict(`An item that is ${item.status} is not printed again.`);
  }
  const { _id: mailJobId, organizationId, mode } = job;
  const count = await inTransaction(async (transaction) => {
    const stillThere = {
      _id: mailJobId,
      organizationId,
      items: { $elemMatch: { itemId, status: { $in: [...reprintable] } } },
    };
    // The write conflicts with other changes of the letter, so of two reprints at once each has its own number.
    const matched = await updateRows(
      MailJob,
      [{ filter: stillThere, change: { $set: { updatedAt: at } } }],
      transaction,
    );
    if (matched === 0) throw conflict('This item has changed. Look at it again.');
    const number = (await countSteps(transaction, { organizationId, itemId, kind: 'reprinted' })) + 1;
    if (number > maxReprints) {
      throw conflict(`This item was reprinted ${maxReprints} times. Let it fail instead.`);
    }
    const about = { mailJobId, organizationId, mode, itemId, at, by: 'operator' } as const;
    await appendHistory(transaction, [{ ...about, kind: 'reprinted', key: String(number), detail: { reason } }]);
    const detail = { mailJobId, batchId, number };
    await recordAudit(
      { action: 'item.reprinted', subjectId: itemId, organizationId, mode, detail },
      by,
      at,
      transaction,
    );
    return number;
  });
  return { ...found, count };
}

/** Most steps that are shown of an item. */
const maxSteps = 200;

/** Returns the recorded steps of an item, oldest first. */
export async function readItemHistory(itemId: string): Promise<HistoryRecord[]> {
  const ids = { $gt: `${itemId}:`, $lt: `${itemId};` };
  const steps = await ItemHistory.find({ _id: ids }).limit(maxSteps).lean<HistoryRecord[]>();
  return steps.sort((a, b) => a.at.getTime() - b.at.getTime());
}
