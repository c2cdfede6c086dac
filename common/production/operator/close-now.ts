import type { AuditActor } from '#common/audit/audit.model.ts';
import { recordAudit } from '#common/audit/record-audit.ts';
import type { Clock } from '#common/clock.ts';
import { batchWork, MailJob, type MailJobRecord } from '#common/mail-jobs/model/mail-job.model.ts';
import { dueIndexKey } from '#common/platform/due-work/due.schema.ts';
import { newDue } from '#common/platform/due-work/due-work.ts';
import { findRows, rowsOf } from '#common/platform/mongo/mongo.ts';
import { inTransaction } from '#common/platform/mongo/transaction.ts';
import type { OperatorDeps } from './mark-batch.ts';

/** Below the 1,000 rows that a transaction should write at most. */
const maxLetters = 500;

/** `letters` go to press now. `notRendered` have no print file yet: they keep the regular closing of their batch. */
export type ClosedNow = { letters: number; notRendered: number };

/**
 * Closes the batches of a cutoff before their time: the live letters that wait for it are collected now, and can no longer
 * be cancelled. A letter that is sent later goes into a further batch of this cutoff. Works in steps of 500 letters, each
 * with an entry in the audit log; a repeat after a crash goes on where the first call ended.
 */
export async function closeBatchesNow(
  cutoffAt: Date,
  by: AuditActor | undefined,
  { hints, clock }: OperatorDeps & { clock: Clock },
): Promise<ClosedNow> {
  let letters = 0;
  for (;;) {
    // The time of this step, not of the first one: the worker may have closed the batch of that meanwhile, and takes a
    // letter into a further batch only if its closing is later.
    const closed = await closeSome(cutoffAt, by, clock.now());
    letters += closed.length;
    hints.notify(batchWork.queue, closed.slice(0, 1));
    if (closed.length < maxLetters) break;
  }
  const notRendered = { ...waitingFor(cutoffAt, clock.now()), printFile: null };
  return { letters, notRendered: await rowsOf<MailJobRecord>(MailJob).countDocuments(notRendered, byDueTime) };
}

const byDueTime = { hint: dueIndexKey(batchWork.path) };

/** Returns a filter for letters whose batch is still open. One that is due already may be in the hands of a worker. */
const waitingFor = (cutoffAt: Date, now: Date) => ({
  [`${batchWork.path}.at`]: { $gt: now, $lte: cutoffAt },
  dropAt: cutoffAt,
  mode: 'live' as const,
  status: 'queued' as const,
});

/** Returns the ids of the letters that it made due. */
async function closeSome(cutoffAt: Date, by: AuditActor | undefined, at: Date): Promise<string[]> {
  return await inTransaction(async (session) => {
    const filter = { ...waitingFor(cutoffAt, at), printFile: { $ne: null } };
    const found = await findRows<Pick<MailJobRecord, '_id'>>(MailJob, filter, {
      ...{ limit: maxLetters, projection: { _id: 1 }, session },
      ...byDueTime,
    });
    const ids = found.map(({ _id }) => _id);
    if (ids.length === 0) return ids;
    const change = { $set: { closesAt: at, updatedAt: at, [batchWork.path]: newDue(at) } };
    await rowsOf<MailJobRecord>(MailJob).updateMany({ _id: { $in: ids } }, change, { session });
    const detail = { letters: ids.length };
    const entry = { action: 'batch.closed-early', subjectId: cutoffAt.toISOString(), mode: 'live', detail } as const;
    await recordAudit(entry, by, at, session);
    return ids;
  });
}
