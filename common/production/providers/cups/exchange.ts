import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { Readable } from 'node:stream';
import { withTimeout } from '#common/platform/concurrency/with-timeout.ts';
import type { PrinterTarget } from './printer-target.ts';

/** A document to send: exactly this many bytes. */
export type OpenDocument = { sizeBytes: number; stream: Readable };

export type ExchangeLimits = {
  /** Limit of the whole exchange in ms, from the connect to the end of the answer. */
  timeoutMs: number;
  /** Ends the exchange, as when the process stops. */
  signal?: AbortSignal | undefined;
};

/** How much of a request with a document has left this process. */
type Progress = { isBodyStarted: boolean; isBodyComplete: boolean };

/** The body of an answer, and whether all of the request was sent. */
type ExchangeAnswer = { bytes: Buffer; isBodyComplete: boolean };

/** An exchange without a usable HTTP answer. */
export class ExchangeError extends Error {
  override readonly name = 'ExchangeError';
  /** Whether the server can have got a byte of the body, and with it the operation that is asked of it. */
  isBodyStarted = false;
  /** The HTTP status when it was not 200. */
  readonly httpStatus: number | undefined;

  constructor(message: string, httpStatus?: number) {
    super(message);
    this.httpStatus = httpStatus;
  }
}

const maxAnswerBytes = 1024 * 1024;
/** How long an answer waits for the end of sending, in ms. */
const drainMs = 2_000;
const contentType = 'application/ipp';

/**
 * Posts a request and returns the body of its answer, at most 1 MiB. Throws `ExchangeError` for everything but a
 * complete answer with status 200 and content type `application/ipp`. Follows no redirect. Each exchange has a
 * connection of its own: the request cannot meet a connection that the server is about to close.
 *
 * A request with a document waits for `100 Continue` before its body (RFC 9110, 10.1.1). A server that accepts
 * connections but does not serve them, like a suspended one, therefore gets no byte of the body, and the failure is
 * certain.
 */
export async function exchange(
  target: PrinterTarget,
  body: { head: Buffer; document?: OpenDocument },
  { timeoutMs, signal }: ExchangeLimits,
): Promise<ExchangeAnswer> {
  const progress: Progress = { isBodyStarted: false, isBodyComplete: false };
  const abort = new AbortController();
  const request = createRequest(target, body, signal ? AbortSignal.any([signal, abort.signal]) : abort.signal);
  try {
    return await withTimeout(converse(request, body, progress), timeoutMs, () => {
      throw new ExchangeError(`no complete answer within ${timeoutMs} ms`);
    });
  } catch (error) {
    const failure = error instanceof ExchangeError ? error : new ExchangeError(describe(error));
    failure.isBodyStarted = progress.isBodyStarted;
    throw failure;
  } finally {
    abort.abort();
    body.document?.stream.destroy();
  }
}

function createRequest(
  target: PrinterTarget,
  { head, document }: { head: Buffer; document?: OpenDocument },
  signal: AbortSignal,
): ClientRequest {
  const { isTls, host, port, path } = target;
  return (isTls ? requestHttps : requestHttp)({
    ...{ method: 'POST', host, port, path, agent: false, signal },
    headers: {
      'content-type': contentType,
      'content-length': head.length + (document?.sizeBytes ?? 0),
      accept: contentType,
      ...(document && { expect: '100-continue' }),
    },
  });
}

function converse(
  request: ClientRequest,
  { head, document }: { head: Buffer; document?: OpenDocument },
  progress: Progress,
): Promise<ExchangeAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<ExchangeAnswer>();
  let hasResponse = false;
  let sending: Promise<void> = Promise.resolve();
  // A server may answer and close before it has read the document. Its answer counts, not the failed write.
  const fail = (error: unknown) => {
    if (!hasResponse) reject(error);
  };
  request.on('error', fail);
  request.once('response', (response) => {
    hasResponse = true;
    readBody(response).then(async (bytes) => {
      // The server may have all of the document before this process sees that the last of it has left.
      await withTimeout(sending, drainMs, () => {});
      resolve({ bytes, isBodyComplete: progress.isBodyComplete });
    }, reject);
  });
  request.once('continue', () => {
    if (!document) return;
    progress.isBodyStarted = true;
    sending = sendBody(request, head, document, progress).catch(fail);
  });
  if (document) {
    request.flushHeaders();
  } else {
    progress.isBodyStarted = true;
    progress.isBodyComplete = true;
    request.end(head);
  }
  return promise;
}

/** Sends the body. Breaks the request off when the document is shorter or longer than announced. */
async function sendBody(
  request: ClientRequest,
  head: Buffer,
  { stream, sizeBytes }: OpenDocument,
  progress: Progress,
): Promise<void> {
  request.write(head);
  let sentBytes = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    sentBytes += chunk.length;
    if (sentBytes > sizeBytes) break;
    if (!request.write(chunk)) await untilDrained(request);
  }
  if (sentBytes !== sizeBytes) throw new ExchangeError('the document has changed while it was sent');
  progress.isBodyComplete = true;
  request.end();
}

async function untilDrained(request: ClientRequest): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const close = () => reject(new ExchangeError('the connection was closed'));
  request.once('drain', resolve).once('close', close);
  if (request.destroyed) close();
  await promise.finally(() => request.off('drain', resolve).off('close', close));
}

async function readBody(response: IncomingMessage): Promise<Buffer> {
  const { statusCode = 0, headers } = response;
  if (statusCode !== 200) throw new ExchangeError(`HTTP status ${statusCode}`, statusCode);
  if (headers['content-type']?.split(';')[0]?.trim().toLowerCase() !== contentType) {
    throw new ExchangeError('an answer that is not application/ipp');
  }
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxAnswerBytes) throw new ExchangeError(`an answer of more than ${maxAnswerBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Returns the error's code, which names no address, or its message. */
function describe(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code ?? message;
}
