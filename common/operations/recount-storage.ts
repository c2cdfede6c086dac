import { plusMs } from '../clock.ts';
import { MailJob, storedPrintFilesIndex } from '../mail-jobs/model/mail-job.model.ts';
import { rowsOf } from '../platform/mongo/mongo.ts';
import { inSnapshot, type Snapshot } from '../platform/mongo/snapshot.ts';
import type { Log } from '../platform/process/log.ts';
import { StorageUse, type StorageUseRecord } from '../uploads/storage-use.model.ts';
import { storedUploadsIndex, Upload } from '../uploads/upload.model.ts';

/** Rows per run, to keep runs short. */
export const maxRecounted = 100;
const recountMs = 24 * 60 * 60 * 1000;
/**
 * Time between the two recounts of a difference. Much longer than a request takes between storing an object and
 * counting it.
 */
const confirmMs = 60_000;
/** Delay after a failed recount. */
const postponeMs = 60 * 60 * 1000;

/**
 * Compares the stored count of each organization and mode with its uploads and print files once a day and corrects
 * drift. Drift comes from a process killed between storing and counting.
 *
 * A difference is corrected only if a second recount a minute later finds it too, because one recount also sees
 * requests between their two writes. A difference that is not confirmed waits for the next day, so steady traffic does
 * not cause a recount every minute.
 *
 * Reads only indexes. Logs a failed recount and postpones it by an hour. Returns how many rows it examined.
 */
export async function recountStorage(
  { log, signal }: { log: Log; signal?: AbortSignal | undefined },
  at: Date,
): Promise<number> {
  const due = await StorageUse.find({ recountAt: { $lte: at } })
    .sort({ recountAt: 1 })
    .limit(maxRecounted)
    .lean<StorageUseRecord[]>();
  for (const row of due) {
    signal?.throwIfAborted();
    await recount(row._id, log, at).catch((error: unknown) => postpone(row, { error, log, at }));
  }
  return due.length;
}

/** Postpones a failed recount. Otherwise the row would stay first and block all others. */
async function postpone(row: StorageUseRecord, { error, log, at }: { error: unknown; log: Log; at: Date }) {
  const { _id, organizationId, mode, recountAt } = row;
  log.error({ err: error, organizationId, mode }, 'storage recount failed');
  await rowsOf<StorageUseRecord>(StorageUse).updateOne(
    { _id, recountAt },
    { $set: { recountAt: plusMs(at, postponeMs) } },
  );
}

async function recount(id: string, log: Log, at: Date): Promise<void> {
  const use = rowsOf<StorageUseRecord>(StorageUse);
  const seen = await inSnapshot(async (snapshot) => {
    const row = await use.findOne({ _id: id }, { session: snapshot });
    return row && { row, storedBytes: await sumStored(row, snapshot) };
  });
  // Created just now and not in the snapshot yet.
  if (!seen) return;
  const { row, storedBytes } = seen;
  const drift = storedBytes - row.bytes;
  const earlier = row.drift ?? 0;
  const correction = confirmedDrift(earlier, drift);
  const isToConfirm = earlier === 0 && drift !== 0;
  const recountAt = plusMs(at, isToConfirm ? confirmMs : recountMs);
  // Prevents a concurrent recount from correcting the same drift twice.
  const unchanged = { _id: id, recountAt: row.recountAt };
  const change = { $inc: { bytes: correction }, $set: { drift: isToConfirm ? drift : 0, recountAt } };
  const { matchedCount } = await use.updateOne(unchanged, change);
  if (matchedCount === 0 || correction === 0) return;
  const { organizationId, mode } = row;
  log.warn({ organizationId, mode, correction, storedBytes }, 'storage count corrected');
}

/** Returns the part of a difference that both recounts found. */
function confirmedDrift(earlier: number, later: number): number {
  if (Math.sign(earlier) !== Math.sign(later)) return 0;
  return Math.sign(later) * Math.min(Math.abs(earlier), Math.abs(later));
}

async function sumStored({ organizationId, mode }: StorageUseRecord, session: Snapshot): Promise<number> {
  const total = (bytes: unknown) => ({ $group: { _id: null, bytes: { $sum: bytes } } });
  const isRemoved = { $gt: ['$printFile.removedAt', null] };
  const sums = [
    rowsOf(Upload).aggregate<{ bytes: number }>([{ $match: { organizationId, mode } }, total('$sizeBytes')], {
      session,
      hint: storedUploadsIndex,
    }),
    rowsOf(MailJob).aggregate<{ bytes: number }>(
      [
        { $match: { organizationId, mode, 'printFile.sizeBytes': { $gt: 0 } } },
        total({ $cond: [isRemoved, 0, '$printFile.sizeBytes'] }),
      ],
      { session, hint: storedPrintFilesIndex },
    ),
  ];
  let bytes = 0;
  for (const sum of sums) bytes += (await sum.toArray())[0]?.bytes ?? 0;
  return bytes;
}
