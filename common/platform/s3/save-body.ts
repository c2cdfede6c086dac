import { open, rm } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { ObjectTooLargeError, StoreUnavailableError } from './object-store-errors.ts';

export type BodyToSave = {
  key: string;
  /** A file that does not exist yet. */
  path: string;
  maxBytes: number;
  body: Readable;
  /** The announced size. A body of another length throws. */
  sizeBytes: number | undefined;
};

/**
 * Streams a response of the store into a new file. A failure leaves no file. Throws ObjectTooLargeError above `maxBytes`
 * and StoreUnavailableError for failures of the store. Disk errors are thrown unchanged.
 */
export async function saveBody({ key, path, maxBytes, body, sizeBytes }: BodyToSave): Promise<{ sizeBytes: number }> {
  try {
    if ((sizeBytes ?? 0) > maxBytes) throw new ObjectTooLargeError(key, maxBytes);
    const file = await open(path, 'wx');
    try {
      let writtenBytes = 0;
      for await (const chunk of chunksOf(body)) {
        writtenBytes += chunk.length;
        // The announced size can be missing or wrong, so the limit applies to the received bytes.
        if (writtenBytes > maxBytes) throw new ObjectTooLargeError(key, maxBytes);
        await file.writeFile(chunk);
      }
      if (writtenBytes !== (sizeBytes ?? writtenBytes)) throw incompleteBody(undefined);
      return { sizeBytes: writtenBytes };
    } catch (error) {
      await rm(path, { force: true });
      throw error;
    } finally {
      await file.close();
    }
  } finally {
    // Even if nothing was read: an unread response would keep its socket.
    body.destroy();
  }
}

/** Yields the chunks. Only errors thrown here are attributed to the store. */
async function* chunksOf(body: Readable): AsyncGenerator<Uint8Array, void> {
  try {
    yield* body as AsyncIterable<Uint8Array>;
  } catch (cause) {
    throw incompleteBody(cause);
  }
}

function incompleteBody(cause: unknown): StoreUnavailableError {
  return new StoreUnavailableError('send a whole object', cause);
}
