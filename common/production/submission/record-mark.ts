import type { Claim } from '#common/platform/due-work/due-work.ts';
import type { BatchMark, BatchRecord } from '../batches/batch.model.ts';
import { type BatchMove, moveBatchItems } from './move-batch-items.ts';
import { moveBatchOn } from './move-batch-on.ts';
import type { NextStep, PressDeps, PressStep } from './press-steps.ts';

/** The statuses of the items that a report moves. */
const movedFrom: Record<BatchMark, readonly string[]> = { printed: ['queued'], posted: ['queued', 'printed'] };

/**
 * Records what an operator has reported about a batch: all its items that have not failed are printed, or posted. A
 * repeat after a crash resumes with the next item. The items get the present time, not that of the report: clients that
 * poll for changes would miss them otherwise.
 */
export async function recordMark(claim: Claim<BatchRecord>, mark: BatchMark, deps: PressDeps): Promise<NextStep> {
  // One update, only while the lease holds: another report may have come meanwhile, and is due then.
  const onlyIf = { 'due.press.leaseToken': claim.token, marking: mark };
  const at = await moveAll(claim.id, movedFrom[mark], { target: mark, by: 'operator' }, deps, onlyIf);
  // Not stored when the batch has moved on.
  return { nextAt: at };
}

/** Hands a batch in whose provider does so at the cutoff. */
export const handIn: PressStep = async ({ id }, deps) => {
  await moveAll(id, ['printed'], { target: 'posted', by: 'press' }, deps);
  return null;
};

/** Moves all items of a batch that have one of these statuses, then the batch. Returns the time that they got. */
async function moveAll(
  batchId: string,
  from: readonly string[],
  move: Pick<BatchMove, 'target' | 'by'>,
  { hints, clock, log }: PressDeps,
  onlyIf?: object,
): Promise<Date> {
  const at = clock.now();
  await moveBatchItems(
    batchId,
    ({ items }) => {
      const itemIds = items.filter(({ status }) => from.includes(status)).map(({ itemId }) => itemId);
      return itemIds.length > 0 ? [{ itemIds, ...move }] : [];
    },
    { hints, at },
  );
  const state = await moveBatchOn(batchId, { at, ...(onlyIf && { onlyIf }) });
  log.info({ batchId, state, ...move }, 'all items of a batch marked');
  return at;
}
