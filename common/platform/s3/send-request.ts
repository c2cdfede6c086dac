import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { S3Client } from '@aws-sdk/client-s3';
import type { HttpRequest } from '@smithy/core/protocols';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { type BucketAccess, type BucketRequest, createBucketRequests, sdkAccess } from './bucket-request.ts';
import { RefusedError, StoreUnavailableError } from './object-store-errors.ts';

export type StoreTimeouts = {
  connectMs: number;
  /** Time limit for the response headers, per attempt. There are two attempts. */
  answerMs: number;
  /** Time without a byte in either direction. Node detects a stalled upload after twice this time. */
  idleMs: number;
  /** Time limit for the response to an upload, on top of the transfer: the store syncs to disk before it responds. */
  storedMs: number;
};

type RequestOptions = {
  signal?: AbortSignal;
  /** Replaces the time limit for the response headers. */
  answerMs?: number;
};

export type StoreAnswer = { headers: Record<string, string>; body: Readable };

export type StoreRequests = {
  /**
   * Sends a signed request and returns its successful answer (2xx), whose body must be read or destroyed. Tries twice
   * unless the body is a stream. Throws StoreUnavailableError for every other outcome. `action` completes the sentence
   * "The object store failed to …".
   */
  send(action: string, request: BucketRequest, options?: RequestOptions): Promise<StoreAnswer>;
  close(): void;
};

const maxAttempts = 2;
/** Upper bound of the jitter, so requests that the store refused together are not retried together. */
const retryWithinMs = 100;
/** As many as the API has send requests in flight: a HEAD must not wait for a free socket. */
const maxSockets = 256;
/** A refusal names its code at the start of its body. */
const maxRefusalBytes = 4_096;

/**
 * Creates the only connection to the store. It uses only the signer and the HTTP handler of the S3 client of the AWS
 * SDK. The client's commands above them take 1.7 times the CPU of a PUT of 40 kB, and 2.6 times that of a HEAD.
 */
export function createStoreRequests(access: BucketAccess, timeouts: StoreTimeouts): StoreRequests {
  const client = new S3Client({ ...sdkAccess(access), requestHandler: createHandler(timeouts) });
  // One signer for all requests: it keeps the derived key of the day.
  const signing = client.config.signer();
  const toHttp = createBucketRequests(access);

  async function attempt(request: BucketRequest, { signal, answerMs }: RequestOptions): Promise<StoreAnswer> {
    const signer = await signing;
    const signed = (await signer.sign(toHttp(request))) as HttpRequest;
    const { response } = await client.config.requestHandler.handle(signed, {
      ...(signal && { abortSignal: signal }),
      requestTimeout: answerMs ?? timeouts.answerMs,
    });
    const { statusCode, headers, body } = response;
    if (statusCode < 300 && request.method === 'GET') return { headers, body };
    const text = await readStart(body, timeouts.answerMs);
    if (statusCode < 300) return { headers, body };
    throw new RefusedError(statusCode, /<Code>(\w+)<\/Code>/.exec(text)?.[1]);
  }

  return {
    async send(action, request, options = {}) {
      const attempts = request.body instanceof Readable ? 1 : maxAttempts;
      for (let n = 1; ; n += 1) {
        const outcome = await attempt(request, options).catch((error: unknown) => ({ error }));
        if (!('error' in outcome)) return outcome;
        const { error } = outcome;
        const isFinal = error instanceof RefusedError && !error.isTransient;
        if (isFinal || n === attempts || options.signal?.aborted) throw new StoreUnavailableError(action, error);
        await sleep(Math.random() * retryWithinMs);
      }
    },
    close: () => client.destroy(),
  };
}

function createHandler({ connectMs, answerMs, idleMs }: StoreTimeouts): NodeHttpHandler {
  const ignore = () => undefined;
  return new NodeHttpHandler({
    connectionTimeout: connectMs,
    requestTimeout: answerMs,
    // Without this flag, a late response is only a warning.
    throwOnRequestTimeout: true,
    socketTimeout: idleMs,
    httpAgent: { keepAlive: true, maxSockets },
    httpsAgent: { keepAlive: true, maxSockets },
    // By default, warnings go to the console, between our log lines.
    logger: { trace: ignore, debug: ignore, info: ignore, warn: ignore, error: ignore },
  });
}

/** Reads a short body to its end, which frees its connection. Returns its start. */
function readStart(body: Readable, withinMs: number): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const timer = setTimeout(() => body.destroy(), withinMs);
  let text = '';
  const finish = () => {
    clearTimeout(timer);
    resolve(text);
  };
  body.on('data', (chunk) => {
    if (text.length < maxRefusalBytes) text += chunk;
  });
  // Status and headers are known, so the answer counts even if its body breaks off.
  body.once('end', finish).once('close', finish).on('error', finish);
  return promise;
}
