import { type Clock, plusMs } from '#common/clock.ts';
import type { RenderSlots } from '#common/documents/isolation/render-slots.ts';
import { type CopyToMerge, mergeCopies } from '#common/documents/print-file/merge-copies.ts';
import { type Claim, finishClaim } from '#common/platform/due-work/due-work.ts';
import type { Log } from '#common/platform/process/log.ts';
import { createLazyFolder, makeTempFolder } from '#common/platform/process/temp-folders.ts';
import { removeEach } from '#common/platform/s3/remove-each.ts';
import type { ObjectStore } from '#common/platform/s3/s3.ts';
import { Batch, type BatchRecord, type PrintPartRecord } from '../batches/batch.model.ts';
import type { PressCopies } from '../providers/press-provider.ts';
import { makeBatchCopies, PrintFileLostError } from './batch-copies.ts';

export type PrintPartsDeps = { store: ObjectStore; slots: RenderSlots; clock: Clock; log: Log };

/** How long the print parts of a batch are kept. The copies can be made again from the print files. */
const keptMs = 30 * 24 * 60 * 60 * 1000;
/** Batches whose parts are removed in one run, to keep runs short. */
export const maxBatchesCleared = 50;
/** Delay before a failed deletion is retried. */
const retryMs = 60 * 60 * 1000;

/**
 * Merges the copies of a batch that an operator prints into a few PDFs, and stores them. Idempotent: the parts have fixed
 * keys, and only the holder of the lease records them.
 */
export async function makePrintParts(
  claim: Claim<BatchRecord>,
  { store, slots, clock, log }: PrintPartsDeps,
  signal: AbortSignal,
): Promise<void> {
  const { _id: batchId, doubleSided } = claim.row;
  const temporary = createLazyFolder(() => makeTempFolder('parts'));
  const printParts: PrintPartRecord[] = [];
  try {
    const copies = toMerge(makeBatchCopies(batchId, { store, signal }));
    const folder = await temporary.path();
    for await (const { path, ...part } of mergeCopies(copies, { folder, slots, signal, log, doubleSided })) {
      const s3Key = `press/${batchId}/part-${printParts.length + 1}.pdf`;
      await store.putFile({ key: s3Key, contentType: 'application/pdf', path });
      printParts.push({ s3Key, ...part });
    }
  } catch (error) {
    const held = { _id: batchId, 'due.parts.leaseToken': claim.token };
    const problem = error instanceof PrintFileLostError ? error.message : failed;
    if (!signal.aborted) await Batch.updateOne(held, { $set: { problem, updatedAt: clock.now() } });
    throw error;
  } finally {
    await temporary.remove();
  }
  const now = clock.now();
  await finishClaim(claim, { set: { printParts, removePartsAt: plusMs(now, keptMs), problem: null, updatedAt: now } });
}

/** For an error whose cause the operator cannot see. */
const failed =
  'The PDF with the letters could not be made. It is tried again. The log of the workers says why it failed.';

/** Passes the copies on, and releases each when the next one is asked for. */
async function* toMerge(copies: PressCopies): AsyncGenerator<CopyToMerge> {
  for await (const { copy, release } of copies) {
    const { pageCount, sizeBytes } = copy;
    yield { content: copy, pageCount, sizeBytes };
    release();
  }
}

/** Removes the print parts of batches after 30 days. Returns how many batches were tried. */
export async function removePrintParts({ store, log }: { store: ObjectStore; log: Log }, at: Date): Promise<number> {
  const old = await Batch.find({ removePartsAt: { $lte: at } }, { printParts: 1 })
    .sort({ removePartsAt: 1 })
    .limit(maxBatchesCleared)
    .lean<Pick<BatchRecord, '_id' | 'printParts'>[]>();
  await removeEach(old, {
    async remove({ _id, printParts }) {
      for (const { s3Key } of printParts) await store.delete(s3Key);
      await Batch.updateOne({ _id }, { $set: { printParts: [] }, $unset: { removePartsAt: '' } });
    },
    async postpone({ _id }, error) {
      log.warn({ err: error, batchId: _id }, 'print parts not removed, retrying later');
      await Batch.updateOne({ _id }, { $set: { removePartsAt: plusMs(at, retryMs) } });
    },
  });
  return old.length;
}
