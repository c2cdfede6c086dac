import type { OverlayToLoad, Picture } from '#common/mcp/tool.ts';

const timeoutMs = 5_000;
/** A page at 100 dots per inch has a tenth of it. */
const maxBytes = 2_000_000;
const mimeType = 'image/png';

/** Loads a PNG from a URL that the API signed. Returns null when it cannot be loaded in 5 s, or has more than 2 MB. */
export async function loadPicture({ url }: OverlayToLoad, cancelled: AbortSignal): Promise<Picture | null> {
  const signal = AbortSignal.any([cancelled, AbortSignal.timeout(timeoutMs)]);
  try {
    const answer = await fetch(url, { redirect: 'error', signal });
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of answer.body ?? []) {
      size += chunk.length;
      if (size > maxBytes) return null;
      chunks.push(chunk);
    }
    const isPicture = answer.ok && answer.headers.get('content-type') === mimeType;
    return isPicture ? { data: Buffer.concat(chunks).toString('base64'), mimeType } : null;
  } catch {
    return null;
  }
}
