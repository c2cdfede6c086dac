import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { finished } from 'node:stream/promises';
import type { SignatureV4 } from '@smithy/signature-v4';
import type { Clock } from '#common/clock.ts';
import type { DiskStorage } from './disk-storage.ts';
import { deleteObject, getObject, putObject } from './object-requests.ts';
import { readTarget } from './request-target.ts';
import { StoreError } from './store-error.ts';
import { verifySignature } from './verify-signature.ts';

export type StoreContext = {
  storage: DiskStorage;
  bucket: string;
  signer: SignatureV4;
  clock: Clock;
  /** Logs one line for the operator. */
  log: (line: string) => void;
};

const methodsOfObject = { PUT: putObject, GET: getObject, HEAD: getObject, DELETE: deleteObject };

/** Full disk, exceeded quota, file above the process's size limit: the operator has to fix these. */
const fullDiskCodes = ['ENOSPC', 'EDQUOT', 'EFBIG'];

/** Answers one request. Never throws: errors are answered as in S3, and logged when the store itself failed. */
export async function handleRequest(context: StoreContext, request: IncomingMessage, response: ServerResponse) {
  allowBrowsers(request, response);
  if (request.method === 'OPTIONS') return void response.writeHead(204).end();
  try {
    await answer(context, request, response);
  } catch (error) {
    // A client that is still sending would see a broken connection instead of the answer.
    if (!request.complete) await finished(request.resume()).catch(() => undefined);
    // The client has disconnected.
    if (request.errored || response.destroyed) return void response.destroy();
    const refusal = asStoreError(error, context.log);
    // Part of the answer is already sent. Only a closed connection can signal that it is incomplete.
    if (response.headersSent) return void response.destroy();
    refuse(refusal, request, response);
  }
}

async function answer(context: StoreContext, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { storage, bucket, signer, clock } = context;
  const { method = '', headers } = request;
  const target = readTarget(request.url ?? '');
  await verifySignature({ method, target, headers }, signer, clock.now());
  if (target.bucket !== bucket) throw new StoreError('NoSuchBucket');
  if (target.key === '' && method === 'HEAD') return void response.writeHead(200).end();
  if (target.key === '' || !Object.hasOwn(methodsOfObject, method)) throw new StoreError('MethodNotAllowed');
  await methodsOfObject[method as keyof typeof methodsOfObject]({ storage, key: target.key, request, response });
}

function asStoreError(error: unknown, log: (line: string) => void): StoreError {
  if (error instanceof StoreError) return error;
  const { code = '', message } = error as NodeJS.ErrnoException;
  if (fullDiskCodes.includes(code)) {
    log(
      `The disk of the object store is full (${code}): an upload was refused. Free some space; nothing else is needed.`,
    );
    return new StoreError('InsufficientStorage');
  }
  log(`The object store failed on a request: ${message}`);
  return new StoreError('InternalError');
}

function refuse(error: StoreError, request: IncomingMessage, response: ServerResponse): void {
  const requestId = randomUUID();
  const body = request.method === 'HEAD' ? '' : error.toXml(request.url?.split('?')[0] ?? '', requestId);
  response.writeHead(error.status, {
    'x-amz-request-id': requestId,
    ...(body !== '' && { 'Content-Type': 'application/xml', 'Content-Length': Buffer.byteLength(body) }),
  });
  response.end(body);
}

/** Allows requests from any web page. Objects are protected by the signature; cookies are never read. */
function allowBrowsers(request: IncomingMessage, response: ServerResponse): void {
  if (request.headers.origin === undefined) return;
  response.setHeader('Access-Control-Allow-Origin', '*');
  response.setHeader('Access-Control-Expose-Headers', 'ETag, x-amz-request-id');
  if (request.method !== 'OPTIONS') return;
  response.setHeader('Access-Control-Allow-Methods', 'PUT, GET, HEAD, DELETE');
  response.setHeader('Access-Control-Allow-Headers', request.headers['access-control-request-headers'] ?? '*');
  response.setHeader('Access-Control-Max-Age', '600');
}
