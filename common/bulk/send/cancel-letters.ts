import { hasCode } from '#common/errors.ts';
import { cancelMailJob } from '#common/mail-jobs/lifecycle/cancel-mail-job.ts';
import { MailJob, mailListIndexes } from '#common/mail-jobs/model/mail-job.model.ts';
import { type Claim, finishClaim, reloadClaim } from '#common/platform/due-work/due-work.ts';
import { findRows } from '#common/platform/mongo/mongo.ts';
import type { BulkRecord } from '../model/bulk.model.ts';
import type { BulkSendDeps } from './bulk-send-deps.ts';
import { continueLater } from './continue-later.ts';
import { dropUnusedCells } from './drop-unused-cells.ts';

/** Letters that are cancelled before the count is stored. */
const chunkLetters = 100;
/** Cancelling is exclusive in this process: it takes turns with the sends of others. */
const sliceMs = 5_000;

/**
 * Cancels the letters of a cancelled bulk that are not yet in a batch, each with its refund, for a few seconds. The others
 * stay as they are. `doneUpTo` is the externalId of the last letter that was looked at.
 */
export async function cancelLetters(
  claim: Claim<BulkRecord>,
  deps: BulkSendDeps,
  { signal, closing }: { signal: AbortSignal; closing: AbortSignal },
): Promise<void> {
  const endsAt = performance.now() + sliceMs;
  let current = claim;
  for (;;) {
    const jobs = await readNextJobs(current.row);
    const last = jobs.at(-1);
    if (last?.externalId === undefined) {
      await dropUnusedCells(current.row, { after: `${claim.id}:`, upTo: `${claim.id};` });
      return void (await finishClaim(current));
    }
    const progress = { ...current.row.progress };
    for (const { _id } of jobs) {
      signal.throwIfAborted();
      const isCancelled = await cancel(current.row, _id, deps);
      progress[isCancelled ? 'cancelled' : 'notCancelled'] += 1;
    }
    const reloaded = await reloadClaim(current, {
      set: { doneUpTo: last.externalId, progress, updatedAt: deps.clock.now() },
    });
    if (!reloaded) return;
    current = reloaded;
    if (performance.now() < endsAt && !closing.aborted) continue;
    return await continueLater(current, deps);
  }
}

async function readNextJobs({ _id, organizationId, mode, doneUpTo }: BulkRecord) {
  const filter = { organizationId, mode, externalId: { $gt: doneUpTo, $lt: `${_id};` } };
  return await findRows(MailJob, filter, {
    limit: chunkLetters,
    projection: { externalId: 1 },
    sort: { externalId: 1 },
    hint: mailListIndexes.externalId,
  });
}

/** Returns false for a letter that is too late to cancel. */
async function cancel(bulk: BulkRecord, mailJobId: string, deps: BulkSendDeps): Promise<boolean> {
  const { organizationId, mode, credentialId, cancelledBy } = bulk;
  if (!cancelledBy) throw new Error(`Bulk ${bulk._id} was not cancelled by anyone`);
  const caller = { organizationId, mode, id: credentialId, actor: cancelledBy, scopes: ['read', 'send'] as const };
  try {
    await cancelMailJob(caller, { mailJobId, reason: 'Its list was cancelled.' }, deps, deps.clock.now());
    return true;
  } catch (error) {
    if (!hasCode(error, 'NOT_CANCELLABLE')) throw error;
    return false;
  }
}
