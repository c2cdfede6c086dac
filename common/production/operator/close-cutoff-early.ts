import type { AuditActor } from '#common/audit/audit.model.ts';
import { recordAudit } from '#common/audit/record-audit.ts';
import { collectWork, MailJob, type MailJobRecord } from '#common/mail-jobs/model/mail-job.model.ts';
import { dueIndexKey } from '#common/platform/due-work/due.schema.ts';
import { newDue } from '#common/platform/due-work/due-work.ts';
import { findRows, rowsOf } from '#common/platform/mongo/mongo.ts';
import { inTransaction } from '#common/platform/mongo/transaction.ts';
import type { OperatorDeps } from './operator-deps.ts';

/** Below the 1,000 rows that a transaction should write at most. */
const maxLetters = 500;

/** `letters` go to press now. `notRendered` have no print file yet: they keep the regular closing of their batch. */
type ClosedEarly = { letters: number; notRendered: number };

/**
 * Closes the batches of a cutoff before their time: the live letters that wait for it are collected now, and can no longer
 * be cancelled. A letter that is sent later goes into a further batch of this cutoff. Works in steps of 500 letters, each
 * with an entry in the audit log. A repeat after a crash continues with the letters that are left. Without one, they
 * go to press at the regular time.
 */
export async function closeCutoffEarly(
  cutoffAt: Date,
  by: AuditActor | undefined,
  { hints, at }: OperatorDeps & { at: Date },
): Promise<ClosedEarly> {
  let some: string[];
  do some = await closeSome(cutoffAt, by, at);
  while (some.length === maxLetters);
  // Only when all are closed: the worker closes a batch when none of its letters is left, and the first one opens it.
  const isClosed = { ...waitingFor(cutoffAt, at), closesAt: { $lte: at } };
  const due = { $set: { [collectWork.path]: newDue(at) } };
  const { matchedCount: letters } = await rowsOf<MailJobRecord>(MailJob).updateMany(isClosed, due, byDueTime);
  // One hint is enough: the worker collects all.
  hints.notify(collectWork.queue, some.slice(0, 1));
  const notRendered = { ...waitingFor(cutoffAt, at), printFile: null };
  const left = await rowsOf<MailJobRecord>(MailJob).countDocuments(notRendered, byDueTime);
  return { letters, notRendered: left };
}

const byDueTime = { hint: dueIndexKey(collectWork.path) };

/** Returns a filter for letters whose batch is still open. One that is due already may be in the hands of a worker. */
const waitingFor = (cutoffAt: Date, now: Date) => ({
  [`${collectWork.path}.at`]: { $gt: now, $lte: cutoffAt },
  dropAt: cutoffAt,
  mode: 'live' as const,
  status: 'queued' as const,
});

/** Returns the ids of the letters that it closed. */
async function closeSome(cutoffAt: Date, by: AuditActor | undefined, at: Date): Promise<string[]> {
  return await inTransaction(async (session) => {
    const isOpen = { ...waitingFor(cutoffAt, at), closesAt: { $gt: at }, printFile: { $ne: null } };
    const found = await findRows(MailJob, isOpen, {
      ...{ limit: maxLetters, projection: { _id: 1 }, session },
      ...byDueTime,
    });
    const ids = found.map(({ _id }) => _id);
    if (ids.length === 0) return ids;
    const change = { $set: { closesAt: at, updatedAt: at } };
    await rowsOf<MailJobRecord>(MailJob).updateMany({ _id: { $in: ids } }, change, { session });
    const detail = { letters: ids.length };
    const entry = { action: 'batch.closed-early', subjectId: cutoffAt.toISOString(), mode: 'live', detail } as const;
    await recordAudit(entry, by, at, session);
    return ids;
  });
}
