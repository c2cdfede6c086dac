import { type MailItem, MailJob, type MailJobRecord } from '#common/mail-jobs/model/mail-job.model.ts';
import { type ItemCopy, openItemCopies } from '#common/mail-jobs/proof/item-copy.ts';
import { rowsOf } from '#common/platform/mongo/mongo.ts';
import { createLazyFolder, makeTempFolder } from '#common/platform/process/temp-folders.ts';
import type { ObjectStore } from '#common/platform/s3/s3.ts';
import { type BatchedJob, readBatchJobs } from '../batches/read-batch-jobs.ts';
import type { PressItem } from '../press-batch.ts';

/** Print files that are fetched ahead. Each holds a few MB of memory at most: larger ones are on the disk. */
const aheadCount = 4;

type CopyDeps = { store: ObjectStore; signal: AbortSignal };

/** Yields the copies of a batch that are still to be printed, in order, and records the SHA-256 of each. */
export async function* makeBatchCopies(
  batchId: string,
  { store, signal }: CopyDeps,
): AsyncGenerator<{ item: PressItem; copy: ItemCopy }> {
  let sequence = 0;
  const ahead: Promise<JobCopies>[] = [];
  try {
    for await (const job of readBatchJobs(batchId)) {
      if (!job.items.some(isToPrint)) continue;
      ahead.push(openJobCopies(job, { store, signal }));
      ahead.at(-1)?.catch(() => undefined);
      if (ahead.length >= aheadCount) yield* takeFirst();
    }
    while (ahead.length > 0) yield* takeFirst();
  } finally {
    for (const left of ahead) await left.then(({ remove }) => remove()).catch(() => undefined);
  }

  async function* takeFirst() {
    const first = await ahead.shift();
    if (!first) return;
    const shas: [string, string][] = [];
    try {
      for (const mailItem of first.job.items.filter(isToPrint)) {
        signal.throwIfAborted();
        const copy = await first.copyFor(mailItem);
        const { itemId } = mailItem;
        const { pageCount, sizeBytes, sha256 } = copy;
        sequence += 1;
        shas.push([itemId, sha256]);
        const sheetCount = Math.ceil(pageCount / 2);
        const item = { sequence, itemId, mailJobId: first.job._id, pageCount, sheetCount, sizeBytes, sha256 };
        yield { item, copy };
      }
      await recordShas(first.job._id, shas);
    } finally {
      await first.remove();
    }
  }
}

const isToPrint = ({ status }: MailItem) => status === 'queued';

type JobCopies = { job: BatchedJob; copyFor: (item: MailItem) => Promise<ItemCopy>; remove: () => Promise<void> };

async function openJobCopies(job: BatchedJob, { store, signal }: CopyDeps): Promise<JobCopies> {
  const { printFile } = job;
  if (!printFile) throw new Error(`The mail job ${job._id} is in a batch without a print file.`);
  const folder = createLazyFolder(() => makeTempFolder('press'));
  try {
    const copyFor = await openItemCopies(job, printFile, { store, makeFolder: folder.path, signal });
    return { job, copyFor, remove: folder.remove };
  } catch (error) {
    await folder.remove();
    throw error;
  }
}

async function recordShas(_id: string, shas: readonly [string, string][]): Promise<void> {
  const updates = shas.map(([itemId, copySha256]) => ({
    updateOne: { filter: { _id, 'items.itemId': itemId }, update: { $set: { 'items.$.copySha256': copySha256 } } },
  }));
  if (updates.length > 0) await rowsOf<MailJobRecord>(MailJob).bulkWrite(updates, { ordered: false });
}
