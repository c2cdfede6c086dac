import type { AuditActor } from '#common/audit/audit.model.ts';
import { pauseSending } from '#common/bulk/actions/change-bulk.ts';
import { Bulk, type BulkRecord } from '#common/bulk/model/bulk.model.ts';
import { pauseWork } from '#common/operations/change-pauses.ts';
import { readPauses } from '#common/platform/due-work/pauses.ts';
import { closeRestoredBatches } from '#common/production/batches/close-restored-batches.ts';

export type SettledRestore = {
  closedBatches: number;
  /** Live lists of letters that were confirmed and not finished at the moment of the backup: being sent, or paused. */
  pausedBulks: { bulkId: string; organizationId: string }[];
};

const pauseReason = 'restored: run backup compare first';
const bulkMessage =
  'Paused because the service was restored from a backup. Letters of this list may have been printed since: ask the operator before you resume it.';

/**
 * Stops what workers would print a second time after a restore: no batch goes to the press until an operator resumes
 * `dispatch`, batches that collect letters are closed, and confirmed lists are paused. Safe to repeat: lists the same ones.
 */
export async function settleRestored(by: AuditActor, at: Date): Promise<SettledRestore> {
  // Beside a pause of all work, which ends before an operator has compared: letters would be printed again.
  const { current } = await readPauses();
  const isPaused = current.some(({ work, organizationId }) => work === 'dispatch' && organizationId === null);
  if (!isPaused) await pauseWork({ work: 'dispatch', organizationId: null, reason: pauseReason }, by, at);
  const closedBatches = await closeRestoredBatches(at);
  return { closedBatches, pausedBulks: await pauseBulks(at) };
}

/**
 * Rows that were sent after the backup would be sent again, as new letters: paid and printed twice. That holds for a
 * paused list, too: its owner may have resumed it after the backup, and must not do so again unwarned.
 */
async function pauseBulks(at: Date): Promise<SettledRestore['pausedBulks']> {
  const unfinished = { mode: 'live', state: { $in: ['sending', 'paused'] } } as const;
  const bulks = await Bulk.find(unfinished, { organizationId: 1 }).sort({ _id: 1 }).lean<BulkRecord[]>();
  for (const { _id, organizationId } of bulks) {
    const operator = { organizationId, mode: 'live', scopes: ['read'], id: 'restore' } as const;
    await pauseSending(operator, _id, at, bulkMessage);
    // `pauseSending` leaves the reason of a list that was paused already.
    const pause = { code: 'REQUESTED', message: bulkMessage } as const;
    await Bulk.updateOne({ _id, state: 'paused' }, { $set: { pause, updatedAt: at } });
  }
  return bulks.map(({ _id: bulkId, organizationId }) => ({ bulkId, organizationId }));
}
