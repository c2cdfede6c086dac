import type { AuditAction, AuditActor } from '#common/audit/audit.model.ts';
import { recordAudit } from '#common/audit/record-audit.ts';
import { AppError } from '#common/errors.ts';
import { newDue } from '#common/platform/due-work/due-work.ts';
import { rowsOf } from '#common/platform/mongo/mongo.ts';
import { inTransaction } from '#common/platform/mongo/transaction.ts';
import type { Hints } from '#common/platform/redis/queues.ts';
import { Batch, type BatchRecord, type BatchState, pressWork } from '../batches/batch.model.ts';
import { finishBatch } from '../submission/finish-batch.ts';
import { moveBatchItems, type PlannedMove } from '../submission/move-batch-items.ts';
import { resolveItemsInDoubt } from '../submission/resolve-printer-jobs.ts';

export type OperatorDeps = { hints: Hints };

/** What an operator may report about a batch. */
export type BatchMark = 'printed' | 'posted';

/** The states in which an operator may report: the press has the batch, or may have it. */
const reportable = ['at_press', 'needs_operator', 'printed'] as const satisfies readonly BatchState[];

/**
 * Records that all items of a batch that have not failed are printed, or handed in at the post office. Throws NOT_FOUND,
 * or CONFLICT when the press cannot have the batch yet or the report changes nothing.
 */
export async function markBatch(
  batchId: string,
  mark: BatchMark,
  by: AuditActor | undefined,
  { hints, at }: OperatorDeps & { at: Date },
): Promise<BatchState> {
  const batch = await readBatch(batchId);
  const isReportable = reportable.some((state) => state === batch.state);
  if (!isReportable || (mark === 'printed' && batch.state === 'printed')) {
    throw new AppError('CONFLICT', { message: `A batch that is ${wordFor(batch.state)} cannot be marked as ${mark}.` });
  }
  await audit(batch, `batch.${mark}`, by, at);
  const before = mark === 'printed' ? ['queued'] : ['queued', 'printed'];
  await moveBatchItems(
    batchId,
    ({ items }): PlannedMove[] => {
      const itemIds = items.filter(({ status }) => before.includes(status)).map(({ itemId }) => itemId);
      return itemIds.length > 0 ? [{ itemIds, target: mark, by: 'operator' }] : [];
    },
    { hints, at },
  );
  return (await finishBatch(batchId, at)) ?? batch.state;
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
  const inDoubt = { _id: batchId, state: 'needs_operator' } as const;
  const change = { $set: { state: 'closed', problem: null, updatedAt: at, 'due.press': newDue(at) } } as const;
  await inTransaction(async (session) => {
    const { matchedCount } = await rowsOf<BatchRecord>(Batch).updateOne(inDoubt, change, { session });
    if (matchedCount === 0) {
      throw new AppError('CONFLICT', { message: `A batch that is ${wordFor(batch.state)} is not in doubt.` });
    }
    await resolveItemsInDoubt(batchId, 'again', session);
    await recordAudit(entryOf(batch, 'batch.printed-again'), by, at, session);
  });
  hints.notify(pressWork.queue, [batchId]);
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

async function audit(batch: BatchRecord, action: AuditAction, by: AuditActor | undefined, at: Date): Promise<void> {
  await inTransaction((session) => recordAudit(entryOf(batch, action), by, at, session));
}

function entryOf({ _id: subjectId, state, itemCount }: BatchRecord, action: AuditAction) {
  return { action, subjectId, organizationId: null, mode: 'live' as const, detail: { from: state, items: itemCount } };
}
