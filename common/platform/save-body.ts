import { open, rm } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { ObjectTooLargeError, StoreUnavailableError } from './object-store-errors.ts';

export type BodyToSave = {
  key: string;
  /** A file that does not exist yet. */
  path: string;
  maxBytes: number;
  body: Readable;
  /** What the store announced; a body of another length is refused. */
  sizeBytes: number | undefined;
};

/**
 * Streams an answer of the store into a new file; a failure leaves no file.
 * What goes wrong on the store's side is StoreUnavailableError, what goes wrong on our disk passes as it is.
 */
export async function saveBody({ key, path, maxBytes, body, sizeBytes }: BodyToSave): Promise<{ sizeBytes: number }> {
  try {
    if ((sizeBytes ?? 0) > maxBytes) throw new ObjectTooLargeError(key, maxBytes);
    const file = await open(path, 'wx');
    try {
      let writtenBytes = 0;
      for await (const chunk of chunksOf(body)) {
        writtenBytes += chunk.length;
        // An announced size can be missing or wrong: the bound holds for what really comes.
        if (writtenBytes > maxBytes) throw new ObjectTooLargeError(key, maxBytes);
        await file.writeFile(chunk);
      }
      if (writtenBytes !== (sizeBytes ?? writtenBytes)) throw cutShort(undefined);
      return { sizeBytes: writtenBytes };
    } catch (error) {
      await rm(path, { force: true });
      throw error;
    } finally {
      await file.close();
    }
  } finally {
    // Also when nothing of it was read: an answer left lying keeps its socket.
    body.destroy();
  }
}

/** The chunks as they come; only what goes wrong in fetching them is the store's fault. */
async function* chunksOf(body: Readable): AsyncGenerator<Uint8Array, void> {
  try {
    yield* body as AsyncIterable<Uint8Array>;
  } catch (cause) {
    throw cutShort(cause);
  }
}

function cutShort(cause: unknown): StoreUnavailableError {
  return new StoreUnavailableError('send a whole object', cause);
}
