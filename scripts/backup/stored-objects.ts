import { z } from 'zod';
import { MailJob, type MailJobRecord } from '#common/mail-jobs/model/mail-job.model.ts';
import type { Snapshot } from '#common/platform/mongo/snapshot.ts';
import { TemporaryObject } from '#common/platform/s3/temporary-object.model.ts';
import { Batch, type BatchRecord } from '#common/production/batches/batch.model.ts';
import { Upload, type UploadRecord } from '#common/uploads/upload.model.ts';
import { readLines, writeCompressed } from './write-file.ts';

const NamedObject = z.strictObject({
  key: z.string(),
  /** What needs it. Null for one that may be missing, such as an upload that never came, or print parts. */
  neededBy: z.enum(['upload', 'print file']).nullable(),
});
/** An object that a row names. */
export type NamedObject = z.infer<typeof NamedObject>;

const batchSize = 1_000;

/** Writes the objects that the rows of a snapshot name to a file, because copying them takes longer than a snapshot lives. */
export async function spoolNamedObjects(path: string, snapshot: Snapshot, at: Date): Promise<void> {
  async function* lines() {
    for await (const object of namedObjects(snapshot, at)) yield Buffer.from(`${JSON.stringify(object)}\n`);
  }
  await writeCompressed(path, lines());
}

export async function* readNamedObjects(path: string): AsyncGenerator<NamedObject> {
  for await (const line of readLines(path)) yield NamedObject.parse(JSON.parse(line));
}

/**
 * Yields the objects that the rows of a snapshot name. Bulks, drafts, settings and preflights name uploads, so these cover
 * them. An object may be yielded twice.
 */
async function* namedObjects(snapshot: Snapshot, at: Date): AsyncGenerator<NamedObject> {
  const uploads = Upload.find({}, { etag: 1, neededUntil: 1 }).session(snapshot).lean<UploadRecord[]>();
  for await (const { _id: key, etag, neededUntil } of uploads.cursor({ batchSize })) {
    const isUsed = etag !== null && neededUntil !== null && neededUntil > at;
    yield { key, neededBy: isUsed ? 'upload' : null };
  }
  const jobs = MailJob.find(withPrintFile, { mode: 1, 'printFile.s3Key': 1 }).session(snapshot);
  for await (const { mode, printFile } of jobs.lean<MailJobRecord[]>().cursor({ batchSize })) {
    if (printFile) yield { key: printFile.s3Key, neededBy: mode === 'live' ? 'print file' : null };
  }
  const batches = Batch.find({ 'printParts.0': { $exists: true } }, { 'printParts.s3Key': 1 }).session(snapshot);
  for await (const { printParts = [] } of batches.lean<BatchRecord[]>().cursor({ batchSize })) {
    for (const { s3Key } of printParts) yield { key: s3Key, neededBy: null };
  }
  const temporary = TemporaryObject.find({ storedAt: { $ne: null } }, { _id: 1 }).session(snapshot);
  for await (const { _id } of temporary.lean<{ _id: string }[]>().cursor({ batchSize })) {
    yield { key: _id, neededBy: null };
  }
}

const withPrintFile = { 'printFile.s3Key': { $exists: true }, 'printFile.removedAt': { $exists: false } };

/** Returns whether a letter needs the object now: it may have been removed since the snapshot, as it should be. */
export async function isStillNeeded({ key, neededBy }: NamedObject): Promise<boolean> {
  if (neededBy === 'upload') return (await Upload.exists({ _id: key })) !== null;
  const [, mailJobId] = /(mj_[^./]+)\.pdf$/.exec(key) ?? [];
  return neededBy !== null && (await MailJob.exists({ _id: mailJobId ?? '', ...withPrintFile })) !== null;
}
