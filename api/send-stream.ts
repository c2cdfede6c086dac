import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Request, Response } from 'express';
import type { StreamedAnswer } from './route.ts';

/** A reader who takes nothing for this long is given up: he holds a socket and, behind it, memory. */
const idleTimeoutMs = 30_000;

/**
 * Sends an answer while it is made, as fast as its reader takes it. What fails before the first piece is answered as
 * any failure; what fails later breaks the connection off. A reader who goes away ends the making, and is no failure.
 */
export async function sendStream(request: Request, response: Response, answer: StreamedAnswer): Promise<void> {
  const pieces = answer.chunks[Symbol.asyncIterator]();
  // The pipeline alone would wait for the next piece, which may be long in coming.
  response.once('close', () => void pieces.return?.());
  try {
    const first = await pieces.next();
    // Proxies that keep answers until they are whole would keep this one for ever.
    response.status(200).set({ 'Content-Type': `${answer.contentType}; charset=utf-8`, 'X-Accel-Buffering': 'no' });
    if (answer.filename !== undefined) response.attachment(answer.filename).type(answer.contentType);
    // A server that stops waits for connections that are kept; this one has done its work.
    response.set('Connection', 'close');
    if (request.method === 'HEAD') return void response.end();
    response.setTimeout(idleTimeoutMs, () => response.destroy());
    await pipeline(Readable.from(joined(first, pieces), { objectMode: false }), response);
  } catch (error) {
    if (!response.headersSent || !isReaderGone(error)) throw error;
  } finally {
    await pieces.return?.();
  }
}

async function* joined(first: IteratorResult<string>, rest: AsyncIterator<string>): AsyncGenerator<string> {
  for (let piece = first; !piece.done; piece = await rest.next()) yield piece.value;
}

function isReaderGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';
}
