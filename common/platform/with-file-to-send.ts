import { open } from 'node:fs/promises';
import type { Readable } from 'node:stream';

export type FileToSend = {
  body: Readable;
  sizeBytes: number;
  /** Aborted, with the disk's own error as its reason, when the file cannot be read to its end. */
  whenUnreadable: AbortSignal;
};

/**
 * Opens a file, hands it to `send` as a stream and closes it, whatever happens.
 * A file that cannot be opened throws the disk's error before `send` is called.
 */
export async function withFileToSend<T>(path: string, send: (file: FileToSend) => Promise<T>): Promise<T> {
  const file = await open(path, 'r');
  try {
    const { size: sizeBytes } = await file.stat();
    const unreadable = new AbortController();
    // Whoever pipes this stream into a request does not hear of its errors, and would wait for the rest forever.
    // `end` keeps a file that still grows from sending more than was announced.
    const body = file.createReadStream({ autoClose: false, start: 0, ...(sizeBytes > 0 && { end: sizeBytes - 1 }) });
    body.on('error', (error) => unreadable.abort(error));
    try {
      return await send({ body, sizeBytes, whenUnreadable: unreadable.signal });
    } finally {
      body.destroy();
    }
  } finally {
    await file.close();
  }
}
