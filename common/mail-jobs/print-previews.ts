import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import { drawPage } from '../documents/draw-page.ts';
import { createRenderSlots, SlotsFullError } from '../documents/render-slots.ts';
import { ChildFailedError } from '../documents/run-in-child.ts';
import { AppError } from '../errors.ts';
import type { Log } from '../platform/log.ts';
import { ObjectChangedError, ObjectMissingError, ObjectTooLargeError } from '../platform/object-store-errors.ts';
import type { ObjectStore } from '../platform/s3.ts';
import type { MailJobRecord, PrintFileRecord } from './mail-job.model.ts';

/** A larger print file would cost each of its pages a long way from the store and most of a child's memory. */
const maxPrintFileBytes = 50_000_000;
const maxDrawMs = 40_000;
/** Pictures drawn lately, in memory: a page that is looked at again costs nothing. */
const keptBytes = 16_000_000;
const keptMs = 5 * 60_000;
/** Fewer than renderings of letters may have: a process that serves pages has other things to do. */
const slotSettings = { fastSlots: 1, slowSlots: 1, fastCpuMs: 3_000, fastWallMs: 6_000, maxWaiting: 60 };

/** Whether the pages of a print file can be shown as pictures. */
export function canBePreviewed({ sizeBytes }: Pick<PrintFileRecord, 'sizeBytes'>): boolean {
  return sizeBytes <= maxPrintFileBytes;
}

/** Pictures of what is printed. */
export type PrintPreviews = {
  /**
   * A page (from 1) of a letter's print file as a PNG at about 100 dots per inch. The letter is one that its reader may
   * see. Throws NOT_FOUND where there is no such page, and SERVICE_UNAVAILABLE when too many are asked for.
   */
  draw(letter: Pick<MailJobRecord, 'printFile'>, page: number): Promise<Buffer>;
};

/** The pictures of one process: one or two are drawn at a time, by children that know nothing else. */
export function createPrintPreviews({ store, log }: { store: ObjectStore; log: Log }): PrintPreviews {
  const slots = createRenderSlots(slotSettings);
  const kept = new LRUCache<string, Buffer>({
    maxSize: keptBytes,
    sizeCalculation: (picture) => picture.length,
    ttl: keptMs,
  });

  async function drawFrom(printFile: PrintFileRecord, page: number): Promise<Buffer> {
    const signal = AbortSignal.timeout(maxDrawMs);
    const seat = await slots.enter(signal);
    const workDir = await mkdtemp(join(tmpdir(), 'bluejay-preview-')).catch((error) => {
      seat.leave();
      throw error;
    });
    try {
      const path = join(workDir, 'print.pdf');
      const etag = (await store.head(printFile.s3Key))?.etag;
      if (etag === undefined) throw new AppError('NOT_FOUND');
      await store.getToFile({ key: printFile.s3Key, path, ifMatch: etag, maxBytes: maxPrintFileBytes });
      return await readFile(await drawPage({ path, page, workDir, seat, signal, log }));
    } finally {
      seat.leave();
      await rm(workDir, { recursive: true, force: true });
    }
  }

  return {
    async draw({ printFile }, page) {
      if (printFile === null || page < 1 || page > printFile.pageCount || !canBePreviewed(printFile)) {
        throw new AppError('NOT_FOUND');
      }
      const name = `${printFile.sha256} ${page}`;
      const known = kept.get(name);
      if (known) return known;
      const picture = await drawFrom(printFile, page).catch((error) => {
        throw toAppError(error);
      });
      kept.set(name, picture);
      return picture;
    },
  };
}

/** What a reader can do about it: nothing, or come back later. */
function toAppError(error: unknown): unknown {
  const isGone = [ObjectChangedError, ObjectMissingError, ObjectTooLargeError].some((kind) => error instanceof kind);
  if (isGone) return new AppError('NOT_FOUND', { cause: error });
  const isTimeout = error instanceof DOMException && error.name === 'TimeoutError';
  const isBusy = isTimeout || error instanceof SlotsFullError || error instanceof ChildFailedError;
  return isBusy ? new AppError('SERVICE_UNAVAILABLE', { retryAfterS: 10, cause: error }) : error;
}
