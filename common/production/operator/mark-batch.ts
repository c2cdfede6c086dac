import type { AuditAction, AuditActor } from '#common/audit/audit.model.ts';
import { recordAudit } from '#common/audit/record-audit.ts';
import { conflict } from '#common/errors.ts';
import { newDue } from '#common/platform/due-work/due-work.ts';
import { rowsOf } from '#common/platform/mongo/mongo.ts';
import { inTransaction, type Transaction } from '#common/platform/mongo/transaction.ts';
import { Batch, type BatchMark, type BatchRecord, type BatchState, pressWork } from '../batches/batch.model.ts';
import { readBatch } from '../batches/read-batch.ts';
import { findItemsInDoubt, resolveItemsInDoubt } from '../providers/items-in-doubt.ts';
import type { OperatorDeps } from './operator-deps.ts';

/** The states in which an operator may report: the press has the batch, or may have it. */
const reportable: Record<BatchMark, readonly BatchState[]> = {
  printed: ['at_press', 'needs_operator'],
  // Not one in doubt: some of its items may be at no printer yet.
  posted: ['at_press', 'printed'],
};

/** Returns whether an operator may report this about a batch. */
export function isReportable(mark: BatchMark, { state, marking }: Pick<BatchRecord, 'state' | 'marking'>): boolean {
  if (marking === mark || marking === 'posted') return false;
  return reportable[mark].includes(state);
}

/**
 * Takes the report that all items of a batch that have not failed are printed, or handed in at the post office. The
 * worker moves the items: they may be 20,000, and a process that dies must not leave half of them behind. When only
 * single items are in doubt, the report is about them, and the rest of the batch is handed over next. Throws NOT_FOUND, or
 * CONFLICT when the press cannot have the batch yet or the report changes nothing.
 */
export async function markBatch(
  batchId: string,
  mark: BatchMark,
  by: AuditActor | undefined,
  { hints, at }: OperatorDeps & { at: Date },
): Promise<void> {
  const batch = await readBatch(batchId);
  if (!isReportable(mark, batch)) {
    const now = batch.marking ? `being marked as ${batch.marking}` : wordFor(batch.state);
    throw conflict(`A batch that is ${now} cannot be marked as ${mark}.`);
  }
  const isInDoubt = batch.state === 'needs_operator';
  const isPartly = isInDoubt && (await findItemsInDoubt(batchId)).length > 0;
  const resolved = isInDoubt ? { state: isPartly ? 'closed' : 'at_press', problem: null } : {};
  const marking = isPartly ? {} : { marking: mark };
  await change(
    batch,
    `batch.${mark}`,
    { $set: { ...resolved, ...marking, updatedAt: at, 'due.press': newDue(at) } },
    { by, at, alongside: (session) => resolveItemsInDoubt(batchId, 'printed', session) },
  );
  hints.notify(pressWork.queue, [batchId]);
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
    throw conflict(`A batch that is ${wordFor(batch.state)} is not in doubt.`);
  }
  const closed = { state: 'closed', problem: null, updatedAt: at, 'due.press': newDue(at) } as const;
  const alongside = (session: Transaction) => resolveItemsInDoubt(batchId, 'again', session);
  await change(batch, 'batch.printed-again', { $set: closed }, { by, at, alongside });
  hints.notify(pressWork.queue, [batchId]);
}

/** Changes a batch that is still as it was read, and records the action in the same transaction. */
async function change(
  { _id, state, marking, itemCount }: BatchRecord,
  action: AuditAction,
  update: { $set: object },
  { by, at, alongside }: { by: AuditActor | undefined; at: Date; alongside: (session: Transaction) => Promise<void> },
): Promise<void> {
  const entry = { action, subjectId: _id, mode: 'live', detail: { from: state, items: itemCount } } as const;
  await inTransaction(async (session) => {
    const asRead = { _id, state, marking: marking ?? { $exists: false } };
    const { matchedCount } = await rowsOf<BatchRecord>(Batch).updateOne(asRead, update, { session });
    if (matchedCount === 0) throw conflict('This batch has changed. Look at it again.');
    await alongside(session);
    await recordAudit(entry, by, at, session);
  });
}

/** Returns a state as it reads in a sentence. */
function wordFor(state: BatchState): string {
  return state.replaceAll('_', ' ');
}
