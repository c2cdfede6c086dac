import type { Claim } from '#common/platform/due-work/due-work.ts';
import type { BatchMark, BatchRecord } from '../batches/batch.model.ts';
import { finishBatch } from './finish-batch.ts';
import { moveBatchItems } from './move-batch-items.ts';
import type { NextStep, PressDeps } from './press-steps.ts';

/** The statuses of the items that a report moves. */
const movedFrom: Record<BatchMark, readonly string[]> = { printed: ['queued'], posted: ['queued', 'printed'] };

/**
 * Records what an operator has reported about a batch: all its items that have not failed are printed, or posted. A
 * repeat after a crash resumes with the next item. The items get the present time, not that of the report: clients that
 * poll for changes would miss them otherwise.
 */
export async function recordMark(
  claim: Claim<BatchRecord>,
  mark: BatchMark,
  { hints, clock, log }: PressDeps,
): Promise<NextStep> {
  const at = clock.now();
  await moveBatchItems(
    claim.id,
    ({ items }) => {
      const itemIds = items.filter(({ status }) => movedFrom[mark].includes(status)).map(({ itemId }) => itemId);
      return itemIds.length > 0 ? [{ itemIds, target: mark, by: 'operator' }] : [];
    },
    { hints, at },
  );
  // One update, only while the lease holds: another report may have come meanwhile, and is due then.
  const onlyIf = { 'due.press.leaseToken': claim.token, marking: mark };
  const state = await finishBatch(claim.id, { at, onlyIf });
  log.info({ batchId: claim.id, state }, 'batch marked by an operator');
  // Not stored when the batch has moved on.
  return { nextAt: at };
}
