import { readPreflight } from '#common/mail-jobs/preflight/start-preflight.ts';
import type { Picture } from '#common/mcp/tool.ts';
import type { Owner } from '#common/modes.ts';
import type { Log } from '#common/platform/process/log.ts';
import type { ObjectStore } from '#common/platform/s3/s3.ts';

/** A page at 100 dots per inch has a tenth of it. */
const maxBytes = 2_000_000;

type Wanted = { owner: Owner; preflightId: string; at: Date };

/**
 * Loads the picture of page 1 that a check of files drew, from the store: this process may not reach the address that the
 * store has for clients. Returns null when there is none, and logs why it cannot be loaded.
 */
export async function loadOverlay(
  { owner, preflightId, at }: Wanted,
  { store, log }: { store: ObjectStore; log: Log },
): Promise<Picture | null> {
  try {
    const { result } = await readPreflight(owner, preflightId, at);
    if (!result?.overlayKey) return null;
    const bytes = await store.get({ key: result.overlayKey, maxBytes });
    return { data: bytes.toString('base64'), mimeType: 'image/png' };
  } catch (error) {
    // The findings are worth more than the picture.
    log.warn({ err: error, preflightId }, 'picture not loaded');
    return null;
  }
}
