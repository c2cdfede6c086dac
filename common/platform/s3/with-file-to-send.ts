import { open } from 'node:fs/promises';
import type { Readable } from 'node:stream';

export type FileToSend = {
  body: Readable;
  sizeBytes: number;
  /** Aborted when the file cannot be read to its end. The reason is the disk's error. */
  whenUnreadable: AbortSignal;
};

/** Opens a file, passes it to `send` as a stream, and closes it in every case. Throws the disk's error if it cannot be opened. */
export async function withFileToSend<T>(path: string, send: (file: FileToSend) => Promise<T>): Promise<T> {
  const file = await open(path, 'r');
  try {
    const { size: sizeBytes } = await file.stat();
    const unreadable = new AbortController();
    // A request that the stream is piped into does not see its errors, and would wait for the rest forever.
    // `end` bounds a file that is still growing to the announced size.
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
