import { LRUCache } from 'lru-cache';
import type { FileContent } from '#common/documents/file-content.ts';
import { createRenderSlots, type RenderSlot } from '#common/documents/isolation/render-slots.ts';
import { drawPage } from '#common/documents/preview/draw-page.ts';
import type { WarmPool } from '#common/documents/warm/warm-pool.ts';
import { AppError } from '#common/errors.ts';
import type { Owner } from '#common/modes.ts';
import type { Log } from '#common/platform/process/log.ts';
import { createLazyFolder, makeTempFolder } from '#common/platform/process/temp-folders.ts';
import { toAppError } from './to-app-error.ts';

const maxWorkMs = 40_000;
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

/** A PDF to draw. */
export type PictureSource = {
  owner: Owner;
  /** The same name means the same bytes. */
  name: string;
  /** Called when the drawing has a slot. `makeFolder` returns a folder that is removed after the drawing. */
  open(makeFolder: () => Promise<string>): Promise<FileContent>;
};

/** What work in a slot gets. */
type SlotWork = { slot: RenderSlot; makeFolder: () => Promise<string>; signal: AbortSignal };

/** Draws pages of PDFs as pictures. */
export type PagePictures = {
  /**
   * Returns a page (from 1) as a PNG at about 100 dots per inch. The caller has checked that the reader may see it.
   * Throws NOT_FOUND when the page does not exist or cannot be drawn, and SERVICE_UNAVAILABLE when too many pages are
   * requested.
   */
  draw(source: PictureSource, page: number): Promise<Buffer>;
};

/**
 * Creates the page pictures of a process. At most two pages are drawn at a time, in fenced child processes: those of
 * small files in warm ones. Simultaneous requests for a page share one drawing, and organizations share the slots
 * fairly. Without `warmPool`, each page is drawn by a process of its own.
 */
export function createPagePictures({ warmPool, log }: { warmPool: WarmPool | null; log: Log }): PagePictures {
  const slots = createRenderSlots(slotSettings);
  const cache = new LRUCache<string, Buffer>({
    maxSize: cacheBytes,
    sizeCalculation: (picture) => picture.length,
    ttl: cacheTtlMs,
  });
  const undrawable = new LRUCache<string, true>({ max: maxUndrawable });
  /** The key contains the organization: a drawing waits for a slot in the queue of its organization. */
  const inProgress = new Map<string, Promise<Buffer | null>>();

  async function inSlot<T>(owner: Owner, work: (context: SlotWork) => Promise<T>): Promise<T> {
    const signal = AbortSignal.timeout(maxWorkMs);
    try {
      const slot = await slots.acquire(signal, { owner });
      const folder = createLazyFolder(() => makeTempFolder('preview'));
      try {
        return await work({ slot, makeFolder: folder.path, signal });
      } finally {
        slot.release();
        await folder.remove();
      }
    } catch (error) {
      throw toAppError(error);
    }
  }

  /** Returns null for a page that cannot be drawn. */
  function drawOnce(key: string, { owner, open }: PictureSource, page: number): Promise<Buffer | null> {
    const started = inProgress.get(key);
    if (started) return started;
    const { organizationId } = owner;
    const drawing = inSlot(owner, async ({ makeFolder, ...context }) => {
      const file = await open(makeFolder);
      return await drawPage({ file, page, warmPool, organizationId, makeFolder, log, ...context });
    }).finally(() => inProgress.delete(key));
    inProgress.set(key, drawing);
    return drawing;
  }

  return {
    async draw(source, page) {
      const key = `${source.owner.organizationId} ${source.name} ${page}`;
      const known = cache.get(key);
      if (known) return known;
      if (undrawable.has(key)) throw new AppError('NOT_FOUND');
      const picture = await drawOnce(key, source, page);
      if (picture === null) {
        undrawable.set(key, true);
        throw new AppError('NOT_FOUND');
      }
      cache.set(key, picture);
      return picture;
    },
  };
}
