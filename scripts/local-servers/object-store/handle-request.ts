import { hash, randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../../../common/clock.ts';
import { unsignedPayload } from '../../../common/platform/aws-signature.ts';
import type { DiskStorage } from './disk-storage.ts';
import { deleteObject, getObject, type ObjectRequest, putObject } from './object-requests.ts';
import { type RequestTarget, readTarget } from './request-target.ts';
import { StoreError } from './store-error.ts';
import { type StoreCredentials, verifySignature } from './verify-signature.ts';

export type StoreContext = {
  storage: DiskStorage;
  bucket: string;
  credentials: StoreCredentials;
  clock: Clock;
  maxObjectBytes: number;
  /** Takes one line for the operator. */
  log: (line: string) => void;
};

const methodsOfObject = { PUT: putObject, GET: getObject, HEAD: getObject, DELETE: deleteObject };

const knownQueries = new Set([
  'x-id',
  'X-Amz-Algorithm',
  'X-Amz-Content-Sha256',
  'X-Amz-Credential',
  'X-Amz-Date',
  'X-Amz-Expires',
  'X-Amz-Signature',
  'X-Amz-SignedHeaders',
]);
const knownAmazonHeaders = new Set(['x-amz-date', 'x-amz-content-sha256', 'x-amz-user-agent']);

/** A full disk, a spent quota, a file over the process's limit: the operator's to mend. */
const fullDiskCodes = ['ENOSPC', 'EDQUOT', 'EFBIG'];

/** Answers one request. Never throws: what fails is answered as S3 would, and logged when it is the store's own fault. */
export async function handleRequest(context: StoreContext, request: IncomingMessage, response: ServerResponse) {
  allowBrowsers(request, response);
  if (request.method === 'OPTIONS') return void response.writeHead(204).end();
  try {
    const target = readTarget(request.url ?? '');
    await answer(context, target, request, response);
  } catch (error) {
    // The caller went away in the middle: nobody is left to tell.
    if (request.errored || response.destroyed) return void response.destroy();
    const refusal = asStoreError(error, context.log);
    // Half an answer is out already: a cut connection is the only way left to say that it is not whole.
    if (response.headersSent) return void response.destroy();
    refuse(refusal, request, response);
  }
}

async function answer(
  { storage, bucket, credentials, clock, maxObjectBytes }: StoreContext,
  target: RequestTarget,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method = '', headers } = request;
  const now = clock.now();
  const payloadHash = verifySignature({ method, target, headers }, credentials, now);
  if (target.bucket !== bucket) throw new StoreError('NoSuchBucket');
  refuseUnknownWishes(target, request);
  if (method !== 'PUT' && ![unsignedPayload, hash('sha256', '')].includes(payloadHash)) {
    throw new StoreError('XAmzContentSHA256Mismatch');
  }
  if (target.key === '') {
    if (method !== 'HEAD') throw new StoreError('MethodNotAllowed');
    return void response.writeHead(200).end();
  }
  if (!Object.hasOwn(methodsOfObject, method)) throw new StoreError('MethodNotAllowed');
  const work: ObjectRequest = { storage, key: target.key, request, response, payloadHash, maxObjectBytes, now };
  await methodsOfObject[method as keyof typeof methodsOfObject](work);
}

/** A store that overlooks what it does not know (a version, a copy, a lock) would answer with the wrong thing. */
function refuseUnknownWishes({ query }: RequestTarget, { headers }: IncomingMessage): void {
  const strange =
    query.map(([name]) => name).find((name) => !knownQueries.has(name)) ??
    Object.keys(headers).find((name) => name.startsWith('x-amz-') && !knownAmazonHeaders.has(name));
  if (strange !== undefined) throw new StoreError('NotImplemented', `This store does not know ${strange}.`);
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
    // Who was refused before "100 Continue" will not send the body that the connection still waits for.
    ...(request.headers.expect && { Connection: 'close' }),
  });
  response.end(body);
}

/** Any page may ask: what protects the objects is the signature, and no cookie is ever looked at. */
function allowBrowsers(request: IncomingMessage, response: ServerResponse): void {
  if (request.headers.origin === undefined) return;
  response.setHeader('Access-Control-Allow-Origin', '*');
  response.setHeader('Access-Control-Expose-Headers', 'ETag, x-amz-request-id');
  if (request.method !== 'OPTIONS') return;
  response.setHeader('Access-Control-Allow-Methods', 'PUT, GET, HEAD, DELETE');
  response.setHeader('Access-Control-Allow-Headers', request.headers['access-control-request-headers'] ?? '*');
  response.setHeader('Access-Control-Max-Age', '600');
}
