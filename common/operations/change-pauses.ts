import type { AuditActor } from '../audit/audit.model.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { conflict } from '../errors.ts';
import { type PausableWork, Pause, type PauseRecord, pauseId } from '../platform/due-work/pause.model.ts';
import { maxPauses } from '../platform/due-work/pauses.ts';
import { isDuplicateKey, rowsOf } from '../platform/mongo/mongo.ts';
import { inTransaction, type Transaction } from '../platform/mongo/transaction.ts';

/** Work of one organization, or of all. */
export type Paused = { work: PausableWork; organizationId: string | null };

const pauses = () => rowsOf<PauseRecord>(Pause);

/**
 * Pauses work: from 3 s on, no worker takes it up. Work that has begun is finished. Nothing of it is lost. Later the
 * oldest is taken up first, but new work does not wait behind it. Throws CONFLICT when it is paused already, or when too
 * many organizations are.
 */
export async function pauseWork(
  { work, organizationId, reason }: Paused & { reason: string },
  by: AuditActor,
  at: Date,
): Promise<PauseRecord> {
  const pause: PauseRecord = {
    _id: pauseId({ work, organizationId }),
    ...{ work, organizationId, reason, by: `${by.kind} ${by.id}`, since: at },
  };
  try {
    await inTransaction(async (session) => {
      if (organizationId !== null) await requireRoom(session);
      await pauses().insertOne(pause, { session });
      const entry = { action: 'work.paused', subjectId: pause._id, organizationId, detail: { reason } } as const;
      await recordAudit(entry, by, at, session);
    });
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    throw conflict(`This work is paused already: ${work}.`);
  }
  return pause;
}

/** Throws CONFLICT when so many organizations are paused that no query may name another one. */
async function requireRoom(session: Transaction): Promise<void> {
  const isOfOne = { endedAt: { $exists: false }, organizationId: { $ne: null } };
  if ((await pauses().countDocuments(isOfOne, { session })) < maxPauses) return;
  throw conflict(`There are ${maxPauses} pauses of single organizations already. Resume some first.`);
}

/**
 * Ends a pause. The scanner finds the work that waits, oldest first, within about 15 s. Throws CONFLICT when the work is
 * not paused. The pause of all organizations and that of one end separately.
 */
export async function resumeWork({ work, organizationId }: Paused, by: AuditActor, at: Date): Promise<PauseRecord> {
  const _id = pauseId({ work, organizationId });
  return await inTransaction(async (session) => {
    const pause = await pauses().findOneAndDelete({ _id }, { session });
    if (!pause) throw conflict(`This work is not paused: ${work}.`);
    // Kept for a while: the time in which webhooks are retried does not include it.
    await pauses().insertOne({ ...pause, _id: `${_id}@${pause.since.toISOString()}`, endedAt: at }, { session });
    const detail = { pausedForS: Math.round((at.getTime() - pause.since.getTime()) / 1_000) };
    await recordAudit({ action: 'work.resumed', subjectId: _id, organizationId, detail }, by, at, session);
    return pause;
  });
}
