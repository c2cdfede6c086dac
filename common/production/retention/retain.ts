import { dayMs, plusMs } from '#common/clock.ts';
import { bulkRowId } from '#common/ids.ts';
import { cancelledMessage } from '#common/mail-jobs/model/failure.ts';
import { MailJob, type MailJobRecord } from '#common/mail-jobs/model/mail-job.model.ts';
import { ReturnedItem } from '#common/mail-jobs/model/returned-item.model.ts';
import { printFileKey } from '#common/mail-jobs/render/print-file-key.ts';
import { rowsOf } from '#common/platform/mongo/mongo.ts';
import { inTransaction, type Transaction } from '#common/platform/mongo/transaction.ts';
import type { Log } from '#common/platform/process/log.ts';
import { removeEach } from '#common/platform/s3/remove-each.ts';
import type { ObjectStore } from '#common/platform/s3/s3.ts';
import { pastMoments } from '#common/sandbox/steps/letter-moments.ts';
import { endNeed } from '#common/uploads/keep-uploads.ts';
import { countStored } from '#common/uploads/storage-use.ts';
import { Batch, type BatchRecord } from '../batches/batch.model.ts';
import { personalData } from './personal-data.ts';

/** How long letters are kept after they have settled. `addressDays` null: people are never redacted. */
export type RetentionRules = { documentDays: number; addressDays: number | null };

export type RetainDeps = { store: ObjectStore; log: Log };

/** Most letters per run, to keep runs short. */
export const maxRetained = 500;
/** Delay before a failed deletion is retried. */
const retryMs = 60 * 60 * 1000;

type Stored = Pick<MailJobRecord, '_id' | 'organizationId' | 'mode' | 'printFile'>;

/** Removes the print files of live letters that have settled long enough ago. Returns how many were tried. */
export async function removeOldDocuments(
  { documentDays }: RetentionRules,
  deps: RetainDeps,
  at: Date,
): Promise<number> {
  return await removeSince('retention.documentsFrom', plusMs(at, -documentDays * dayMs), deps, at);
}

/** Removes the print files of test letters, days after they were rendered. Returns how many were tried. */
export async function removeTestPrintFiles(deps: RetainDeps, at: Date): Promise<number> {
  return await removeSince('printFile.removeAt', at, deps, at);
}

/**
 * Removes the print files of letters whose moment is not after `until`, the object before the record of it. A failed
 * deletion is postponed. Returns how many were tried. Throws the store's error when the store seems to be unavailable.
 */
async function removeSince(path: string, until: Date, deps: RetainDeps, at: Date): Promise<number> {
  const old = await MailJob.find({ [path]: { $lte: until } }, { organizationId: 1, mode: 1, printFile: 1 })
    .sort({ [path]: 1 })
    .limit(maxRetained)
    .lean<Stored[]>();
  await removeEach(old, {
    remove: (job) => removePrintFile(job, deps, at),
    async postpone({ _id, organizationId }, error) {
      deps.log.warn({ err: error, mailJobId: _id }, 'print file not removed, retrying later');
      const isJob = { _id, organizationId };
      await MailJob.updateOne(isJob, { $set: { [path]: plusMs(until, retryMs) } }, { hint: { _id: 1 } });
    },
  });
  return old.length;
}

/**
 * Removes the print file of a letter, and records that if it has one. A letter without one may have failed while a
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
      $unset: { ...pastMoments.fileRemoved, 'due.render': '', 'due.slowRender': '' },
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

/** Redacts the people of letters that have settled long enough ago. Returns how many letters. */
export async function redactOldAddresses({ addressDays }: RetentionRules, at: Date): Promise<number> {
  if (addressDays === null) return 0;
  const path = 'retention.addressesFrom';
  const isOld = { [path]: { $lte: plusMs(at, -addressDays * dayMs) } };
  const old = await MailJob.find(isOld, { organizationId: 1, mode: 1, files: 1 })
    .sort({ [path]: 1 })
    .limit(maxRetained)
    .lean<WithPeople[]>();
  for (const job of old) await redactPeople(job, at);
  return old.length;
}

const { erased } = personalData;

type WithPeople = Pick<MailJobRecord, '_id' | 'organizationId' | 'mode' | 'files'>;

/**
 * Erases the people of a letter: in the letter, in its row and the file of a bulk, and at which address a copy came back. Its uploads
 * go as soon as no other letter may use them. `at`: on the letter's clock. `now`: of day, by which uploads are removed.
 * Returns the letter.
 */
export async function redactPeople(
  { _id, organizationId, mode, files }: WithPeople,
  at: Date,
  now = at,
): Promise<MailJobRecord | null> {
  // First: a run that is killed before the redaction is repeated.
  const keys = files.map(({ s3Key }) => s3Key);
  await endNeed({ organizationId, mode }, keys, now);
  const { $set, $unset } = erased.mail_jobs;
  const change = {
    ...{ $set, $min: { redactedAt: at } },
    $unset: { ...$unset, ...pastMoments.redacted },
  };
  return await inTransaction(async (session) => {
    await eraseReason(session, { _id, organizationId });
    const options = { returnDocument: 'after', session, hint: { _id: 1 } } as const;
    const job = await rowsOf<MailJobRecord>(MailJob).findOneAndUpdate(
      { _id, organizationId },
      change as never,
      options,
    );
    if (!job) return null;
    const cameBack = { _id: { $in: job.items.map(({ itemId }) => itemId) }, addressKey: { $exists: true } };
    await ReturnedItem.updateMany(cameBack, erased.returned_items, { session });
    await eraseBulkRow(session, job, now);
    return job;
  });
}

/** Replaces the caller's reason of a cancellation. */
async function eraseReason(session: Transaction, job: Pick<MailJobRecord, '_id' | 'organizationId'>): Promise<void> {
  const code = 'CANCELLED';
  const jobs = rowsOf<MailJobRecord>(MailJob);
  const options = { session, hint: { _id: 1 } } as const;
  const ofItems = { ...options, arrayFilters: [{ 'item.failure.code': code }] };
  await jobs.updateOne({ ...job, 'failure.code': code }, { $set: { 'failure.message': cancelledMessage } }, options);
  const change = { $set: { 'items.$[item].failure.message': cancelledMessage } };
  await jobs.updateOne({ ...job, 'items.failure.code': code }, change as never, ofItems);
}

/** Erases the row of a bulk that a letter was made of, and the name of its document. The uploaded list goes too. */
async function eraseBulkRow(
  session: Transaction,
  { organizationId, mode, externalId = '', files }: MailJobRecord,
  now: Date,
): Promise<void> {
  // As `externalIdOf` writes it.
  const [, bulkId, row] = /^(blk_[^:]+):([1-9]\d*)$/.exec(externalId) ?? [];
  // Security: callers choose an externalId, which may name a bulk of another organization.
  const own = { _id: bulkId, organizationId, mode } as object;
  const bulk = bulkId && (await rowsOf<{ _id: string; file: { s3Key: string } }>('bulks').findOne(own, { session }));
  if (!bulk) return;
  await rowsOf('bulk_rows').updateOne({ _id: bulkRowId(bulkId, Number(row)) } as object, erased.bulk_rows, { session });
  const keys = { $in: files.map(({ s3Key }) => s3Key) };
  const options = { session, arrayFilters: [{ 'document.s3Key': keys }] };
  const nameless = { $set: { 'documents.$[document].name': '' } } as object;
  await rowsOf('bulks').updateOne({ ...own, 'documents.s3Key': keys }, nameless, options);
  const list = { _id: bulk.file.s3Key, organizationId, mode } as object;
  await rowsOf('uploads').updateOne(list, { $min: { usableUntil: now } } as object, { session });
}
