import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Request, Response } from 'express';
import { isClientDisconnect } from './requests/is-client-disconnect.ts';
import type { StreamedAnswer } from './route.ts';

/** Disconnects a client that reads nothing for this long, because it occupies a socket and memory. */
const idleTimeoutMs = 30_000;

/**
 * Sends a response while it is generated, with backpressure. An error before the first chunk becomes a normal error
 * response. A later one aborts the connection. A client disconnect stops the generator and is not an error.
 */
export async function sendStream(request: Request, response: Response, answer: StreamedAnswer): Promise<void> {
  const pieces = answer.chunks[Symbol.asyncIterator]();
  // The pipeline alone would notice only at the next chunk, which may take long.
  response.once('close', () => void pieces.return?.());
  try {
    const first = await pieces.next();
    // Disables buffering in nginx, which would hold back an endless response forever.
    response.status(200).set({ 'Content-Type': `${answer.contentType}; charset=utf-8`, 'X-Accel-Buffering': 'no' });
    if (answer.filename !== undefined) response.attachment(answer.filename).type(answer.contentType);
    // Otherwise a server that shuts down would wait for this keep-alive connection.
    response.set('Connection', 'close');
    if (request.method === 'HEAD') return void response.end();
    response.setTimeout(idleTimeoutMs, () => response.destroy());
    await pipeline(Readable.from(joined(first, pieces), { objectMode: false }), response);
  } catch (error) {
    if (!isClientDisconnect(error, response)) throw error;
  } finally {
    await pieces.return?.();
  }
}

async function* joined(first: IteratorResult<string>, rest: AsyncIterator<string>): AsyncGenerator<string> {
  for (let piece = first; !piece.done; piece = await rest.next()) yield piece.value;
}
