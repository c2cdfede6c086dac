import { plusMs } from '../clock.ts';
import type { Transaction } from '../platform/transaction.ts';
import { Upload, type UploadRecord } from './upload.model.ts';

const dayMs = 24 * 60 * 60 * 1000;
/** A job needs its files until they are rendered, which is tried for hours at most. */
const keptMs = 7 * dayMs;
/** A stamp that is good for at least this long is left alone: sends of one upload must not contend for its row. */
const enoughMs = 6 * dayMs;

/** Keeps the cleaner away from the files of a job, in the transaction that stores the job. */
export async function keepUploads(transaction: Transaction, uploads: readonly UploadRecord[], at: Date): Promise<void> {
  const keys = uploads
    .filter(({ neededUntil }) => neededUntil === null || neededUntil < plusMs(at, enoughMs))
    .map(({ _id }) => _id);
  if (keys.length === 0) return;
  await Upload.updateMany(
    { _id: { $in: keys } },
    { $max: { neededUntil: plusMs(at, keptMs) } },
    { session: transaction },
  );
}
