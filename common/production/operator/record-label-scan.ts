import type { AuditActor } from '#common/audit/audit.model.ts';
import { AppError, conflict, invalid } from '#common/errors.ts';
import type { MailItem } from '#common/mail-jobs/model/mail-job.model.ts';
import type { Tracking } from '#common/mail-jobs/model/tracking.ts';
import { type BatchedItem, findBatchedItem } from '../batches/find-batched-item.ts';
import { isTrackable, recordTracking } from '../tracking/record-tracking.ts';
import { dropScannerCodes, parseScan } from './parse-scan.ts';
import { findScannedItem, garbledHint, requireBatch } from './record-scan.ts';

/** One of the two scans of a registered letter: its mark, then its label. */
type LabelScan = {
  /** What the scanner typed. */
  code: string;
  /** The item whose mark was scanned before. Any id may be given: it is checked like a scanned one. */
  waitingId?: string | undefined;
  /** The item must be in this batch. */
  batchId?: string | undefined;
  by: AuditActor | undefined;
};

type LabelScanned =
  /** A mark: this item waits for its label now. `leftId` is the one that waited before, and still has no label. */
  | { kind: 'waits'; item: MailItem; leftId: string | null }
  /** A label, of the item that waited. `isNew`: false when it was recorded before. */
  | { kind: 'recorded'; item: MailItem; tracking: Tracking; isNew: boolean };

/** What a label may have. A mark always has other characters, and so has what remains of one that is cut off. */
const labelCharacters = /^[A-Za-z0-9\s]*$/;

/**
 * Returns whether a refused scan may have been a label. If not, it may have been the mark of another letter, whose label
 * would come next: then no item waits any more.
 */
export function mayBeLabel(code: string): boolean {
  return parseScan(code) === null && labelCharacters.test(dropScannerCodes(code));
}

/**
 * Records the label that is scanned after the mark of its letter. Throws VALIDATION_ERROR for a text that is neither and
 * for a label with a wrong check digit; NOT_FOUND for an item that is in no batch; CONFLICT for a label before its mark,
 * an item that cannot have a label or has another one, and a number that another item has.
 */
export async function recordLabelScan({ code, waitingId, batchId, by }: LabelScan, at: Date): Promise<LabelScanned> {
  if (parseScan(code)) {
    const { item } = requireForLabel(await findScannedItem(code, batchId));
    return { kind: 'waits', item, leftId: await findLeft(waitingId, item.itemId) };
  }
  if (!mayBeLabel(code)) {
    const next = 'Scan the mark of the letter, then its label.';
    throw invalid(['code'], `This is neither a label nor the mark of a sheet. ${next} ${garbledHint}`);
  }
  if (waitingId === undefined) {
    throw conflict('No letter waits for a label. Scan the mark of the letter first, then its label.');
  }
  const { item } = await findItemForLabel(waitingId, batchId);
  const label = dropScannerCodes(code);
  try {
    const { tracking, isChanged } = await recordTracking({ itemId: waitingId, label }, by, at);
    return { kind: 'recorded', item, tracking, isNew: isChanged };
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'CONFLICT')) throw error;
    const advice = item.tracking
      ? 'If this letter has a new label, record it on the page of the item.'
      : 'Compare the labels of both letters. Then scan a label that is on no other letter.';
    throw conflict(`${error.message} ${advice}`);
  }
}

/** Returns an item in a batch that can have a label. Throws NOT_FOUND, and CONFLICT with what to do. */
export async function findItemForLabel(itemId: string, batchId?: string): Promise<BatchedItem> {
  const found = await findBatchedItem(itemId);
  requireBatch(found, batchId);
  return requireForLabel(found);
}

function requireForLabel(found: BatchedItem): BatchedItem {
  if (isTrackable(found)) return found;
  throw conflict(
    found.item.status === 'failed'
      ? 'This item has failed and is refunded. Put it aside, and do not send it.'
      : 'This letter is not registered, so it gets no label. Put it aside.',
  );
}

/** Returns `leftId` when it is another item than `itemId`, and could still have a label. Otherwise null. */
export async function findLeft(leftId: string | undefined, itemId: string): Promise<string | null> {
  if (leftId === undefined || leftId === itemId) return null;
  try {
    const { item } = await findItemForLabel(leftId);
    return item.tracking ? null : leftId;
  } catch (error) {
    if (error instanceof AppError && error.status < 500) return null;
    throw error;
  }
}
