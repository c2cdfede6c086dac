import { type MailItem, MailJob, type MailJobRecord } from '#common/mail-jobs/model/mail-job.model.ts';
import { type ItemCopy, openItemCopies } from '#common/mail-jobs/proof/item-copy.ts';
import type { PostalAddress } from '#common/organizations/organization.model.ts';
import { rowsOf } from '#common/platform/mongo/mongo.ts';
import { createLazyFolder, makeTempFolder } from '#common/platform/process/temp-folders.ts';
import { ObjectChangedError, ObjectMissingError } from '#common/platform/s3/object-store-errors.ts';
import type { ObjectStore } from '#common/platform/s3/s3.ts';
import { countSheets } from '#common/services.ts';
import { type BatchedJob, readBatchJobs } from '../batches/read-batch-jobs.ts';
import type { PressCopy } from '../providers/press-provider.ts';

/** Print files that are fetched ahead. Each holds a few MB of memory at most: larger ones are on the disk. */
const aheadCount = 4;

/** The print file of a letter is not in the object store any more. The message is for the operator. */
export class PrintFileLostError extends Error {
  override readonly name = 'PrintFileLostError';

  constructor(items: readonly MailItem[], cause: unknown) {
    const [first] = items;
    const others = items.length > 1 ? ` and ${items.length - 1} more of the letter` : '';
    super(
      `The print file of ${first?.itemId}${others} is missing in the object store. Restore it, or set the items to failed.`,
      { cause },
    );
  }
}

type CopyDeps = { store: ObjectStore; signal: AbortSignal };

/** Letters whose hashes are stored with one command. */
const jobsPerWrite = 200;

/** Yields the copies of a batch that are still to be printed, in order, and records the SHA-256 of each. */
export async function* makeBatchCopies(batchId: string, deps: CopyDeps): AsyncGenerator<PressCopy> {
  let sequence = 0;
  const ahead: Promise<JobCopies>[] = [];
  const open = new Set<JobCopies>();
  let made: MadeCopies[] = [];

  async function recordMade(): Promise<void> {
    await recordShas(made);
    made = [];
  }

  async function* takeFirst() {
    const first = await ahead.shift();
    if (!first) return;
    open.add(first);
    const shas = new Map<string, string>();
    for (const mailItem of first.items) {
      deps.signal.throwIfAborted();
      const copy = await first.copyFor(mailItem);
      const { itemId, tracking } = mailItem;
      const { pageCount, sizeBytes, sha256 } = copy;
      sequence += 1;
      shas.set(itemId, sha256);
      const sheetCount = countSheets(pageCount, first);
      const item = {
        ...{
          sequence,
          itemId,
          mailJobId: first.mailJobId,
          sender: first.sender,
          pageCount,
          sheetCount,
          sizeBytes,
          sha256,
        },
        ...(tracking && { trackingNumber: tracking.number }),
      };
      yield {
        item,
        copy,
        release() {
          if (first.release(itemId)) open.delete(first);
        },
      };
    }
    made.push({ mailJobId: first.mailJobId, places: first.places, shas });
    if (made.length >= jobsPerWrite) await recordMade();
  }

  try {
    for await (const job of readBatchJobs(batchId)) {
      if (!job.items.some(isToPrint)) continue;
      const opening = openJobCopies(job, deps);
      opening.catch(() => undefined);
      ahead.push(opening);
      if (ahead.length >= aheadCount) yield* takeFirst();
    }
    while (ahead.length > 0) yield* takeFirst();
    await recordMade();
  } finally {
    for (const left of await Promise.allSettled(ahead)) if (left.status === 'fulfilled') open.add(left.value);
    for (const { remove } of open) await remove();
  }
}

const isToPrint = ({ status }: MailItem) => status === 'queued';

type JobCopies = {
  mailJobId: string;
  sender: PostalAddress;
  /** Those that are still to be printed. */
  items: readonly MailItem[];
  /** The index of each item in its mail job, which never changes. */
  places: ReadonlyMap<string, number>;
  /** Absent: printed on both sides. */
  doubleSided: boolean | undefined;
  copyFor: (item: MailItem) => Promise<ItemCopy>;
  /** Says that the copy of an item is no longer needed. Returns true after the last one: the files are then removed. */
  release: (itemId: string) => boolean;
  remove: () => Promise<void>;
};

async function openJobCopies(job: BatchedJob, { store, signal }: CopyDeps): Promise<JobCopies> {
  const { _id: mailJobId, printFile } = job;
  if (!printFile) throw new Error(`The mail job ${mailJobId} is in a batch without a print file.`);
  const folder = createLazyFolder(() => makeTempFolder('press'));
  const items = job.items.filter(isToPrint);
  const places = new Map(job.items.map(({ itemId }, index) => [itemId, index]));
  const inUse = new Set(items.map(({ itemId }) => itemId));
  let removed: Promise<void> | undefined;
  const remove = () => (removed ??= folder.remove());
  try {
    const copyFor = await openItemCopies(job, printFile, { store, makeFolder: folder.path, signal });
    return {
      ...{ mailJobId, sender: job.sender, items, places, doubleSided: printFile.doubleSided, copyFor, remove },
      release(itemId) {
        inUse.delete(itemId);
        if (inUse.size > 0) return false;
        // The process removes its temporary folder anyway when it ends.
        remove().catch(() => undefined);
        return true;
      },
    };
  } catch (error) {
    await remove();
    const isLost = [ObjectMissingError, ObjectChangedError].some((kind) => error instanceof kind);
    throw isLost ? new PrintFileLostError(items, error) : error;
  }
}

/** The hashes of the copies of one letter, by item. `places`: see `JobCopies`. */
type MadeCopies = Pick<JobCopies, 'mailJobId' | 'places'> & { shas: ReadonlyMap<string, string> };

/** Stores the hashes with one update for each letter: a hundred copies would otherwise rewrite it a hundred times. */
async function recordShas(made: readonly MadeCopies[]): Promise<void> {
  const updates = made.map(({ mailJobId: _id, places, shas }) => {
    const set = [...shas].map(([itemId, sha256]) => [`items.${places.get(itemId)}.copySha256`, sha256]);
    return { updateOne: { filter: { _id }, update: { $set: Object.fromEntries(set) } } };
  });
  if (updates.length > 0) await rowsOf<MailJobRecord>(MailJob).bulkWrite(updates, { ordered: false });
}
