import { open, rm } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { ObjectTooLargeError, StoreUnavailableError } from './object-store-errors.ts';

export type ReceivedBody = {
  body: Readable;
  /** The announced size. A body of another length throws. */
  sizeBytes: number | undefined;
};

type Limits = { key: string; maxBytes: number };

/**
 * Streams a response of the store into a new file at `path`. A failure leaves no file. Throws ObjectTooLargeError above
 * `maxBytes` and StoreUnavailableError for failures of the store. Disk errors are thrown unchanged.
 */
export async function saveBody(received: ReceivedBody & Limits & { path: string }): Promise<{ sizeBytes: number }> {
  const { path } = received;
  return await receive(received, async (chunks) => {
    const file = await open(path, 'wx');
    try {
      let sizeBytes = 0;
      for await (const chunk of chunks) {
        await file.writeFile(chunk);
        sizeBytes += chunk.length;
      }
      return { sizeBytes };
    } catch (error) {
      await rm(path, { force: true });
      throw error;
    } finally {
      await file.close();
    }
  });
}

/** Reads a response of the store into memory. Throws like `saveBody`. */
export async function readBody(received: ReceivedBody & Limits): Promise<Buffer> {
  return await receive(received, async (chunks) => Buffer.concat(await Array.fromAsync(chunks)));
}

type Chunks = AsyncGenerator<Uint8Array, void>;

async function receive<T>(received: ReceivedBody & Limits, consume: (chunks: Chunks) => Promise<T>): Promise<T> {
  const { key, maxBytes, body, sizeBytes } = received;
  try {
    if ((sizeBytes ?? 0) > maxBytes) throw new ObjectTooLargeError(key, maxBytes);
    return await consume(checkedChunks(received));
  } finally {
    // Even if nothing was read: an unread response would keep its socket.
    body.destroy();
  }
}

/** Yields the chunks. The announced size can be missing or wrong, so the limit applies to the received bytes. */
async function* checkedChunks({ key, maxBytes, body, sizeBytes }: ReceivedBody & Limits): Chunks {
  let receivedBytes = 0;
  for await (const chunk of chunksOf(body)) {
    receivedBytes += chunk.length;
    if (receivedBytes > maxBytes) throw new ObjectTooLargeError(key, maxBytes);
    yield chunk;
  }
  if (receivedBytes !== (sizeBytes ?? receivedBytes)) throw incompleteBody(undefined);
}

/** Only errors thrown here are attributed to the store. */
async function* chunksOf(body: Readable): Chunks {
  try {
    yield* body as AsyncIterable<Uint8Array>;
  } catch (cause) {
    throw incompleteBody(cause);
  }
}

function incompleteBody(cause: unknown): StoreUnavailableError {
  return new StoreUnavailableError('send a whole object', cause);
}
