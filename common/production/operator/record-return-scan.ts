import type { AuditActor } from '#common/audit/audit.model.ts';
import { conflict, hasCode } from '#common/errors.ts';
import type { MailItem } from '#common/mail-jobs/model/mail-job.model.ts';
import type { ReturnedRecord, ReturnReason } from '#common/mail-jobs/model/returned.ts';
import type { Hints } from '#common/platform/redis/queues.ts';
import { findBatchedItem } from '../batches/find-batched-item.ts';
import { markReturned } from '../returns/mark-returned.ts';
import { findScannedItem } from './record-scan.ts';

/** The scan of a copy that the post brought back. `code` is what the scanner typed. */
type ReturnScan = { code: string; reason: ReturnReason; by: AuditActor | undefined };

/** `isNew`: false when the return was recorded before, perhaps with another reason, which stays. */
type ReturnScanned = { itemId: string; returned: ReturnedRecord; isNew: boolean };

/**
 * Records that the copy whose mark was scanned came back. One that came back before is left as it is. Throws
 * VALIDATION_ERROR for anything that is not the mark of a sheet, NOT_FOUND for an item that is in no batch, and CONFLICT
 * for one that was not posted.
 */
export async function recordReturnScan(
  { code, reason, by }: ReturnScan,
  context: { hints: Hints; at: Date },
): Promise<ReturnScanned> {
  const { item } = await findScannedItem(code);
  const { itemId } = item;
  if (item.returned) return { itemId, returned: item.returned, isNew: false };
  if (!isReturnable(item)) throw conflict(refusalOf(item));
  try {
    const { returned, isNew } = await markReturned({ itemId, reason, by }, context);
    return { itemId, returned, isNew };
  } catch (error) {
    if (!hasCode(error, 'CONFLICT')) throw error;
    // A scan at the same time may have recorded it, with another reason.
    const { returned } = (await findBatchedItem(itemId)).item;
    if (!returned) throw error;
    return { itemId, returned, isNew: false };
  }
}

/** Returns whether the return of an item can be recorded: it was posted, and did not come back before. */
export function isReturnable({ status, returned }: MailItem): boolean {
  return returned === undefined && (status === 'posted' || status === 'delivered');
}

function refusalOf({ status }: MailItem): string {
  if (status === 'failed') return 'This item has failed and is refunded, so it was not posted. Put it aside.';
  const next = 'Put it aside. If it was posted, record it as handed in first, then scan it here again.';
  return `This item is ${status}, not handed in, so it cannot have come back. ${next}`;
}
