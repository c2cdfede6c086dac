import { plusMs } from '#common/clock.ts';
import { MailJob, type MailJobRecord } from '#common/mail-jobs/model/mail-job.model.ts';
import { forgetReturnAddresses } from '#common/mail-jobs/model/returned-item.model.ts';
import { printFileKey } from '#common/mail-jobs/render/print-file-key.ts';
import { rowsOf } from '#common/platform/mongo/mongo.ts';
import { inTransaction } from '#common/platform/mongo/transaction.ts';
import type { Log } from '#common/platform/process/log.ts';
import { removeEach } from '#common/platform/s3/remove-each.ts';
import type { ObjectStore } from '#common/platform/s3/s3.ts';
import { countStored } from '#common/uploads/storage-use.ts';
import { Batch, type BatchRecord } from '../batches/batch.model.ts';

/** How long letters are kept after they have settled. `addressDays` null: the recipients stay. */
export type RetentionRules = { documentDays: number; addressDays: number | null };

export type RetainDeps = { store: ObjectStore; log: Log };

const dayMs = 24 * 60 * 60 * 1000;
/** Most letters per run, to keep runs short. */
export const maxRetained = 500;
/** Delay before a failed deletion is retried. */
const retryMs = 60 * 60 * 1000;

type Stored = Pick<MailJobRecord, '_id' | 'organizationId' | 'mode' | 'printFile'>;

/**
 * Removes the print files of live letters that have settled long enough ago, the object before the record of it. A failed
 * deletion is postponed. Returns how many were tried. Throws the store's error when the store seems to be unavailable.
 */
export async function removeOldDocuments(
  { documentDays }: RetentionRules,
  deps: RetainDeps,
  at: Date,
): Promise<number> {
  const path = 'retention.documentsFrom';
  const before = plusMs(at, -documentDays * dayMs);
  const old = await MailJob.find({ [path]: { $lte: before } }, { organizationId: 1, mode: 1, printFile: 1 })
    .sort({ [path]: 1 })
    .limit(maxRetained)
    .lean<Stored[]>();
  await removeEach(old, {
    remove: (job) => removePrintFile(job, deps, at),
    async postpone({ _id, organizationId }, error) {
      deps.log.warn({ err: error, mailJobId: _id }, 'print file not removed, retrying later');
      const isJob = { _id, organizationId };
      await MailJob.updateOne(isJob, { $set: { [path]: plusMs(before, retryMs) } }, { hint: { _id: 1 } });
    },
  });
  return old.length;
}

/**
 * Removes the print file of a settled letter, and records that if it has one. A letter without one may have failed while a
 * worker that died was storing it. Repeating it is harmless.
 */
export async function removePrintFile(job: Stored, { store, log }: RetainDeps, at: Date): Promise<void> {
  const { _id, printFile, organizationId, mode } = job;
  if (!printFile?.removedAt) await store.delete(printFile?.s3Key ?? printFileKey(organizationId, _id));
  const removed = printFile === null ? {} : { 'printFile.removedAt': printFile.removedAt ?? at };
  const before = await rowsOf<MailJobRecord>(MailJob).findOneAndUpdate(
    { _id, organizationId },
    {
      ...(printFile !== null && { $set: removed }),
      $unset: {
        ...{ 'retention.documentsFrom': '', 'printFile.removeAt': '', 'clock.removeFileAt': '' },
        ...{ 'due.render': '', 'due.slowRender': '' },
      },
    } as never,
    { projection: { printFile: 1, batchId: 1 }, returnDocument: 'before', hint: { _id: 1 } },
  );
  // Of two concurrent runs, only the first to update the job subtracts its bytes.
  if (before?.printFile && !before.printFile.removedAt) {
    await countStored({ organizationId, mode }, -before.printFile.sizeBytes, log);
  }
  if (before?.batchId !== undefined) await expirePrintParts(before.batchId, at);
}

/** Makes the merged copies of a batch due for removal, which hold the letter too, once nothing of it is to be printed. */
async function expirePrintParts(batchId: string, at: Date): Promise<void> {
  const filter = { _id: batchId, state: { $in: ['printed', 'posted'] as const }, removePartsAt: { $gt: at } };
  await rowsOf<BatchRecord>(Batch).updateOne(filter as object, { $set: { removePartsAt: at } });
}

/** Redacts the recipients of letters that have settled long enough ago. Returns how many. */
export async function redactOldAddresses({ addressDays }: RetentionRules, at: Date): Promise<number> {
  if (addressDays === null) return 0;
  const path = 'retention.addressesFrom';
  const old = await MailJob.find({ [path]: { $lte: plusMs(at, -addressDays * dayMs) } }, { organizationId: 1 })
    .sort({ [path]: 1 })
    .limit(maxRetained)
    .lean<Pick<MailJobRecord, '_id' | 'organizationId'>[]>();
  for (const job of old) await redactRecipients(job, at);
  return old.length;
}

/** What stands in place of a redacted field. The country stays: it belongs to the price. */
const redacted = 'REDACTED';
const blank = { name: redacted, line1: redacted, line2: null, zip: redacted, city: redacted };

/** Replaces the fields of the recipients, and forgets at which address a copy came back. Returns the letter. */
export async function redactRecipients(
  { _id, organizationId }: Pick<MailJobRecord, '_id' | 'organizationId'>,
  at: Date,
): Promise<MailJobRecord | null> {
  const items = { $map: { input: '$items', in: { $mergeObjects: ['$$this', blank] } } };
  return await inTransaction(async (session) => {
    const job = await rowsOf<MailJobRecord>(MailJob).findOneAndUpdate(
      { _id, organizationId },
      [
        { $set: { items, redactedAt: { $ifNull: ['$redactedAt', at] } } },
        { $unset: ['retention.addressesFrom', 'clock.settledAt'] },
      ],
      { returnDocument: 'after', session, hint: { _id: 1 } },
    );
    const itemIds = job?.items.map(({ itemId }) => itemId) ?? [];
    await forgetReturnAddresses(session, itemIds);
    return job;
  });
}
