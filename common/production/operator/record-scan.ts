import { conflict, hasCode, invalid } from '#common/errors.ts';
import type { MailItem } from '#common/mail-jobs/model/mail-job.model.ts';
import type { Hints } from '#common/platform/redis/queues.ts';
import { type BatchedItem, findBatchedItem } from '../batches/find-batched-item.ts';
import { moveBatchOn } from '../submission/move-batch-on.ts';
import { type ItemMark, type ItemReport, itemMarks, markItem } from './mark-item.ts';
import { parseScan } from './parse-scan.ts';

export type Scan = Omit<ItemReport, 'itemId'> & {
  /** What the scanner typed. */
  code: string;
  /** The item must be in this batch. */
  batchId?: string | undefined;
};

/** `isNew`: the scan recorded something. Otherwise the item was as far before. */
export type ScanRecorded = { isNew: boolean; item: MailItem; batchId: string };

/**
 * Records the result of the item whose mark was scanned. An item that has this status or a later one is not changed.
 * Throws VALIDATION_ERROR for anything that is not the mark of a sheet, NOT_FOUND for an item that is in no batch, and
 * CONFLICT for one of another batch, a failed one and one whose batch is still open.
 */
export async function recordScan(
  { code, batchId, ...report }: Scan,
  context: { hints: Hints; at: Date },
): Promise<ScanRecorded> {
  const found = await findScannedItem(code, batchId);
  const { itemId } = found.item;
  const known = knownStep(found.item, report.mark);
  if (known) {
    // The process that recorded it may have died before it moved the batch on.
    await moveBatchOn(found.batchId, context);
    return { isNew: false, item: known, batchId: found.batchId };
  }
  try {
    return { isNew: true, ...(await markItem({ itemId, ...report }, context)) };
  } catch (error) {
    if (!hasCode(error, 'CONFLICT')) throw error;
    // A scan at the same time may have recorded it.
    const recorded = knownStep((await findBatchedItem(itemId)).item, report.mark);
    if (!recorded) throw error;
    return { isNew: false, item: recorded, batchId: found.batchId };
  }
}

/** What every wrong scan may come from. */
export const garbledHint = 'If every scan looks garbled, set the scanner to the keyboard layout of this computer.';

/**
 * Returns the item whose mark was scanned. Throws VALIDATION_ERROR for anything that is not the mark of a sheet, NOT_FOUND
 * for an item that is in no batch, and CONFLICT for one of another batch than `batchId`.
 */
export async function findScannedItem(code: string, batchId?: string): Promise<BatchedItem> {
  const scanned = parseScan(code);
  if (scanned?.kind === 'batch') throw invalid(['code'], 'This is the mark of a batch. Scan the mark on a sheet.');
  if (!scanned) throw invalid(['code'], `This is not the mark of a sheet. ${garbledHint}`);
  const found = await findBatchedItem(scanned.itemId);
  requireBatch(found, batchId);
  return found;
}

/** Throws CONFLICT for an item of another batch than `batchId`. */
export function requireBatch(found: BatchedItem, batchId: string | undefined): void {
  if (batchId === undefined || found.batchId === batchId) return;
  const message = `This item belongs to another batch, ${found.batchId}. Put it aside.`;
  throw conflict(message);
}

/** Returns an item that is as far as `mark` or further, null for any other. Throws CONFLICT for one that has failed. */
function knownStep(item: MailItem, mark: ItemMark): MailItem | null {
  if (item.status === 'failed' && mark !== 'failed') {
    const message = 'This item has failed and is refunded. Put it aside, and do not send it.';
    throw conflict(message);
  }
  const order: readonly string[] = itemMarks;
  return item.status !== 'queued' && order.indexOf(item.status) >= order.indexOf(mark) ? item : null;
}
