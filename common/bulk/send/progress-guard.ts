import { AppError } from '#common/errors.ts';
import type { CommitGuard } from '#common/mail-jobs/create/write-mail-jobs.ts';
import type { Claim } from '#common/platform/due-work/due-work.ts';
import { updateRows } from '#common/platform/mongo/mongo.ts';
import { Bulk, type BulkRecord } from '../model/bulk.model.ts';
import { heldAndSending } from './end-sending.ts';

/**
 * Counts the new mail jobs of a bulk in their own transaction, so the count is exact after any kill. Refuses them with
 * CONFLICT once the bulk is paused or cancelled, or another worker has its lease: no letter is sent after that.
 */
export function createProgressGuard(claim: Claim<BulkRecord>): CommitGuard {
  return {
    async write(transaction, jobs) {
      const sentCents = jobs.reduce((sum, { amounts }) => sum + amounts.totalCents, 0);
      const change = { $inc: { 'progress.sent': jobs.length, 'progress.sentCents': sentCents } };
      if ((await updateRows(Bulk, [{ filter: heldAndSending(claim), change }], transaction)) !== 1)
        throw new AppError('CONFLICT');
    },
  };
}
