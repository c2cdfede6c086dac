import { plusMs } from '#common/clock.ts';
import type { Log } from '#common/platform/process/log.ts';
import { removeEach } from '#common/platform/s3/remove-each.ts';
import type { ObjectStore } from '#common/platform/s3/s3.ts';
import { countStored } from '#common/uploads/storage-use.ts';
import { MailJob, type MailJobRecord } from '../model/mail-job.model.ts';

/** Most files removed per run, to keep runs short. */
export const maxPrintFilesRemoved = 500;
/** Delay before a failed deletion is retried. */
const retryMs = 60 * 60 * 1000;

/**
 * Removes the print files of test jobs after 7 days. Deletes the object before it updates the job: an interrupted run
 * leaves no object without a reference. A failed deletion is postponed. Returns how many files were tried. Throws the
 * store's error when the store seems to be unavailable.
 */
export async function removeTestPrintFiles(
  { store, log }: { store: ObjectStore; log: Log },
  at: Date,
): Promise<number> {
  const old = await MailJob.find({ 'printFile.removeAt': { $lte: at } }, { organizationId: 1, mode: 1, printFile: 1 })
    .sort({ 'printFile.removeAt': 1 })
    .limit(maxPrintFilesRemoved)
    .lean<Pick<MailJobRecord, '_id' | 'organizationId' | 'mode' | 'printFile'>[]>();
  await removeEach(old, {
    async remove({ _id, organizationId, mode, printFile }) {
      if (printFile === null) return;
      await store.delete(printFile.s3Key);
      const removed = { $set: { 'printFile.removedAt': at }, $unset: { 'printFile.removeAt': '' } };
      const isJob = { _id, organizationId };
      const options = { projection: { printFile: 1 }, hint: { _id: 1 } } as const;
      const before = await MailJob.findOneAndUpdate(isJob, removed, options).lean();
      // Of two concurrent runs, only the first to update the job subtracts its bytes.
      if (!before?.printFile?.removedAt) await countStored({ organizationId, mode }, -printFile.sizeBytes, log);
    },
    async postpone({ _id, organizationId }, error) {
      const removeAt = plusMs(at, retryMs);
      log.warn({ err: error, mailJobId: _id, removeAt }, 'print file not removed, retrying later');
      await MailJob.updateOne(
        { _id, organizationId },
        { $set: { 'printFile.removeAt': removeAt } },
        { hint: { _id: 1 } },
      );
    },
  });
  return old.length;
}
