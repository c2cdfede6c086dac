import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import type { FileContent } from '#common/documents/file-content.ts';
import { createRenderSlots } from '#common/documents/isolation/render-slots.ts';
import { ChildFailedError } from '#common/documents/isolation/run-in-child.ts';
import { drawPage } from '#common/documents/preview/draw-page.ts';
import { maxWarmBytes, type WarmPool } from '#common/documents/warm/warm-pool.ts';
import { AppError } from '#common/errors.ts';
import type { Owner } from '#common/modes.ts';
import { SemaphoreFullError } from '#common/platform/fairness/fair-semaphore.ts';
import type { Log } from '#common/platform/process/log.ts';
import { createLazyFolder, makeTempFolder } from '#common/platform/process/temp-folders.ts';
import { ObjectMissingError, ObjectTooLargeError } from '#common/platform/s3/object-store-errors.ts';
import type { ObjectStore } from '#common/platform/s3/s3.ts';
import type { MailJobRecord, PrintFileRecord } from '../model/mail-job.model.ts';

/** For a larger file, each page would need a long download and most of a child's memory. */
const maxPrintFileBytes = 50_000_000;
const maxDrawMs = 40_000;
/** Cache of pictures in memory. */
const cacheBytes = 16_000_000;
const cacheTtlMs = 5 * 60_000;
/** Most entries in the cache of pages that cannot be drawn. */
const maxUndrawable = 10_000;
/** Fewer slots than for print files: the process also serves pages. */
const slotSettings = {
  fastSlots: 1,
  slowSlots: 1,
  fastCpuMs: 3_000,
  fastWallMs: 6_000,
  maxWaiting: 60,
  maxWaitingPerOrganization: 20,
};

/** Without `warmPool`, each page is drawn by a process of its own. */
export type PreviewDeps = { store: ObjectStore; warmPool: WarmPool | null; log: Log };

type PreviewSource = Pick<MailJobRecord, 'organizationId' | 'mode' | 'printFile'>;

/** Returns whether the pages of a print file can be drawn: it is small enough and not removed. */
export function canBePreviewed({ sizeBytes, removedAt }: Pick<PrintFileRecord, 'sizeBytes' | 'removedAt'>): boolean {
  return sizeBytes <= maxPrintFileBytes && removedAt === undefined;
}

/** Draws pages of print files as pictures. */
export type PreviewRenderer = {
  /**
   * Returns a page (from 1) of a job's print file as a PNG at about 100 dots per inch. The caller has checked that the
   * reader may see the job. Throws NOT_FOUND when the page does not exist or cannot be drawn, and SERVICE_UNAVAILABLE
   * when too many pages are requested.
   */
  renderPage(job: PreviewSource, page: number): Promise<Buffer>;
};

/**
 * Creates the preview renderer of a process. At most two pages are drawn at a time, in fenced child processes: those of
 * small print files in warm ones.
 * Simultaneous requests for a page share one drawing, and organizations share the slots fairly.
 */
export function createPreviewRenderer({ store, warmPool, log }: PreviewDeps): PreviewRenderer {
  const slots = createRenderSlots(slotSettings);
  const cache = new LRUCache<string, Buffer>({
    maxSize: cacheBytes,
    sizeCalculation: (picture) => picture.length,
    ttl: cacheTtlMs,
  });

  const undrawable = new LRUCache<string, true>({ max: maxUndrawable });
  /** The key contains the organization: a drawing waits for a slot in the queue of its organization. */
  const inProgress = new Map<string, Promise<Buffer | null>>();

  /** Returns null for a page that cannot be drawn. */
  async function drawFrom(owner: Owner, printFile: PrintFileRecord, page: number): Promise<Buffer | null> {
    const signal = AbortSignal.timeout(maxDrawMs);
    const slot = await slots.acquire(signal, { owner });
    const folder = createLazyFolder(() => makeTempFolder('preview'));
    try {
      const file = await fetchPrintFile(printFile, store, folder.path);
      const { organizationId } = owner;
      return await drawPage({ file, page, warmPool, organizationId, makeFolder: folder.path, slot, signal, log });
    } finally {
      slot.release();
      await folder.remove();
    }
  }

  function drawOnce(name: string, owner: Owner, printFile: PrintFileRecord, page: number): Promise<Buffer | null> {
    const key = `${owner.organizationId} ${name}`;
    const started = inProgress.get(key);
    if (started) return started;
    const drawing = drawFrom(owner, printFile, page).finally(() => inProgress.delete(key));
    inProgress.set(key, drawing);
    return drawing;
  }

  return {
    async renderPage({ organizationId, mode, printFile }, page) {
      if (printFile === null || page < 1 || page > printFile.pageCount || !canBePreviewed(printFile)) {
        throw new AppError('NOT_FOUND');
      }
      const name = `${printFile.sha256} ${page}`;
      const known = cache.get(name);
      if (known) return known;
      if (undrawable.has(name)) throw new AppError('NOT_FOUND');
      const picture = await drawOnce(name, { organizationId, mode }, printFile, page).catch((error) => {
        throw toAppError(error);
      });
      if (picture === null) {
        undrawable.set(name, true);
        throw new AppError('NOT_FOUND');
      }
      cache.set(name, picture);
      return picture;
    },
  };
}

async function fetchPrintFile(
  { s3Key: key, sizeBytes }: PrintFileRecord,
  store: ObjectStore,
  makeFolder: () => Promise<string>,
): Promise<FileContent> {
  if (sizeBytes <= maxWarmBytes) return { bytes: await store.get({ key, maxBytes: maxWarmBytes }) };
  const path = join(await makeFolder(), 'print.pdf');
  await store.getToFile({ key, path, maxBytes: maxPrintFileBytes });
  return { path };
}

/** Maps an error to NOT_FOUND (permanent) or SERVICE_UNAVAILABLE (worth a retry). */
function toAppError(error: unknown): unknown {
  const isGone = error instanceof ObjectMissingError || error instanceof ObjectTooLargeError;
  if (isGone) return new AppError('NOT_FOUND', { cause: error });
  const isTimeout = error instanceof DOMException && error.name === 'TimeoutError';
  const isBusy = isTimeout || error instanceof SemaphoreFullError || error instanceof ChildFailedError;
  return isBusy ? new AppError('SERVICE_UNAVAILABLE', { retryAfterS: 10, cause: error }) : error;
}
