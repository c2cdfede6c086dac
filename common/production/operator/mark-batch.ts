import type { AuditAction, AuditActor } from '#common/audit/audit.model.ts';
import { recordAudit } from '#common/audit/record-audit.ts';
import { AppError } from '#common/errors.ts';
import { newDue } from '#common/platform/due-work/due-work.ts';
import { rowsOf } from '#common/platform/mongo/mongo.ts';
import { inTransaction, type Transaction } from '#common/platform/mongo/transaction.ts';
import type { Hints } from '#common/platform/redis/queues.ts';
import { Batch, type BatchRecord, type BatchState, pressWork } from '../batches/batch.model.ts';
import { finishBatch } from '../submission/finish-batch.ts';
import { moveBatchItems, type PlannedMove } from '../submission/move-batch-items.ts';
import { findItemsInDoubt, resolveItemsInDoubt } from '../submission/resolve-printer-jobs.ts';

export type OperatorDeps = { hints: Hints };

/** What an operator may report about a batch. */
export type BatchMark = 'printed' | 'posted';

/** The states in which an operator may report: the press has the batch, or may have it. */
const reportable: Record<BatchMark, readonly BatchState[]> = {
  printed: ['at_press', 'needs_operator'],
  // Not one in doubt: some of its items may be at no printer yet.
  posted: ['at_press', 'printed'],
};

/** Returns whether an operator may report this about a batch in this state. */
export function isReportable(mark: BatchMark, state: BatchState): boolean {
  return reportable[mark].includes(state);
}

/**
 * Records that all items of a batch that have not failed are printed, or handed in at the post office. A batch in doubt
 * counts as printed from then on; when the doubt is about single items, they alone do. The items move 100 letters at a
 * time; a repeat after a crash goes on where the first call ended. Throws NOT_FOUND, or CONFLICT when the press cannot have the batch yet or the report changes nothing.
 */
export async function markBatch(
  batchId: string,
  mark: BatchMark,
  by: AuditActor | undefined,
  { hints, at }: OperatorDeps & { at: Date },
): Promise<BatchState> {
  const batch = await readBatch(batchId);
  if (!isReportable(mark, batch.state)) {
    throw new AppError('CONFLICT', { message: `A batch that is ${wordFor(batch.state)} cannot be marked as ${mark}.` });
  }
  const inDoubt = mark === 'printed' && batch.state === 'needs_operator' ? await findItemsInDoubt(batchId) : [];
  await change(
    batch,
    `batch.${mark}`,
    { $set: { ...stateAfter(batch, inDoubt, at), updatedAt: at } },
    {
      by,
      at,
      alongside: (session) => resolveItemsInDoubt(batchId, 'printed', session),
    },
  );
  const before = mark === 'printed' ? ['queued'] : ['queued', 'printed'];
  const isMeant = (itemId: string) => inDoubt.length === 0 || inDoubt.includes(itemId);
  await moveBatchItems(
    batchId,
    ({ items }): PlannedMove[] => {
      const moving = items.filter(({ itemId, status }) => before.includes(status) && isMeant(itemId));
      const itemIds = moving.map(({ itemId }) => itemId);
      return itemIds.length > 0 ? [{ itemIds, target: mark, by: 'operator' }] : [];
    },
    { hints, at },
  );
  const state = (await finishBatch(batchId, { at })) ?? batch.state;
  if (state === 'closed') hints.notify(pressWork.queue, [batchId]);
  return state;
}

/**
 * Returns what changes when an operator resolves a doubt. One about single items is over for them, and the rest of the
 * batch is handed over next. One about the whole batch is over with it.
 */
function stateAfter({ state }: BatchRecord, inDoubt: readonly string[], at: Date) {
  if (state !== 'needs_operator') return {};
  if (inDoubt.length === 0) return { state: 'at_press', problem: null };
  return { state: 'closed', problem: null, 'due.press': newDue(at) };
}

/**
 * Hands a batch in doubt to its provider again, after an operator made sure that it was not printed. Throws NOT_FOUND, or
 * CONFLICT when the batch is not in doubt.
 */
export async function printAgain(
  batchId: string,
  by: AuditActor | undefined,
  { hints, at }: OperatorDeps & { at: Date },
): Promise<void> {
  const batch = await readBatch(batchId);
  if (batch.state !== 'needs_operator') {
    throw new AppError('CONFLICT', { message: `A batch that is ${wordFor(batch.state)} is not in doubt.` });
  }
  const closed = { state: 'closed', problem: null, updatedAt: at, 'due.press': newDue(at) } as const;
  const alongside = (session: Transaction) => resolveItemsInDoubt(batchId, 'again', session);
  await change(batch, 'batch.printed-again', { $set: closed }, { by, at, alongside });
  hints.notify(pressWork.queue, [batchId]);
}

/** Changes a batch that is still as it was read, and records the action in the same transaction. */
async function change(
  { _id, state, itemCount }: BatchRecord,
  action: AuditAction,
  update: { $set: object },
  { by, at, alongside }: { by: AuditActor | undefined; at: Date; alongside: (session: Transaction) => Promise<void> },
): Promise<void> {
  const entry = { action, subjectId: _id, mode: 'live', detail: { from: state, items: itemCount } } as const;
  await inTransaction(async (session) => {
    const { matchedCount } = await rowsOf<BatchRecord>(Batch).updateOne({ _id, state }, update, { session });
    if (matchedCount === 0) throw new AppError('CONFLICT', { message: 'This batch has changed. Look at it again.' });
    await alongside(session);
    await recordAudit(entry, by, at, session);
  });
}

/** Returns a batch. Throws NOT_FOUND. */
export async function readBatch(batchId: string): Promise<BatchRecord> {
  const batch = await Batch.findById(batchId).lean<BatchRecord>();
  if (!batch) throw new AppError('NOT_FOUND', { message: `There is no batch ${batchId}.` });
  return batch;
}

/** Returns a state as it reads in a sentence. */
function wordFor(state: BatchState): string {
  return state.replaceAll('_', ' ');
}
