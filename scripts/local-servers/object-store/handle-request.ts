import type { IncomingMessage, ServerResponse } from 'node:http';
import { finished, pipeline } from 'node:stream/promises';
import type { SignatureV4 } from '@smithy/signature-v4';
import type { Clock } from '#common/clock.ts';
import type { DiskStorage } from './disk-storage.ts';
import { listAsXml } from './list-as-xml.ts';
import { StoreError } from './store-error.ts';
import { readTarget, verifySignature } from './verify-signature.ts';

export type StoreContext = {
  storage: DiskStorage;
  bucket: string;
  signer: SignatureV4;
  clock: Clock;
};

/** A request for one object with a verified signature. */
type ObjectRequest = { storage: DiskStorage; key: string; request: IncomingMessage; response: ServerResponse };

const defaultContentType = 'binary/octet-stream';

/** Logs one line for the operator. */
export function logFailure(line: string): void {
  process.stderr.write(`${line}\n`);
}

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
    const refusal = asStoreError(error);
    // Part of the answer is already sent. Only a closed connection can signal that it is incomplete.
    if (response.headersSent) return void response.destroy();
    const body = request.method === 'HEAD' ? '' : refusal.toXml();
    const headers = { 'Content-Type': 'application/xml', 'Content-Length': Buffer.byteLength(body) };
    response.writeHead(refusal.status, body === '' ? {} : headers).end(body);
  }
}

async function answer(context: StoreContext, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { storage, bucket, signer, clock } = context;
  const { method = '', headers } = request;
  const target = readTarget(request.url ?? '');
  await verifySignature({ method, target, headers }, signer, clock.now());
  if (target.bucket !== bucket) throw new StoreError('NoSuchBucket');
  if (target.key === '' && method === 'HEAD') return void response.writeHead(200).end();
  if (target.key === '' && method === 'GET' && target.query['list-type'] === '2') {
    const xml = await listAsXml(storage, bucket, target.query);
    return void response.writeHead(200, { 'Content-Type': 'application/xml' }).end(xml);
  }
  if (target.key === '' || !Object.hasOwn(methodsOfObject, method)) throw new StoreError('MethodNotAllowed');
  await methodsOfObject[method as keyof typeof methodsOfObject]({ storage, key: target.key, request, response });
}

function asStoreError(error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  const { code = '', message } = error as NodeJS.ErrnoException;
  if (fullDiskCodes.includes(code)) {
    logFailure(
      `The disk of the object store is full (${code}): an upload was refused. Free some space; nothing else is needed.`,
    );
    return new StoreError('InsufficientStorage');
  }
  logFailure(`The object store failed on a request: ${message}`);
  return new StoreError('InternalError');
}

/** Stores the whole body or nothing. */
async function putObject({ storage, key, request, response }: ObjectRequest): Promise<void> {
  const { 'content-type': contentType = defaultContentType, 'content-length': length } = request.headers;
  if (length === undefined) throw new StoreError('MissingContentLength');
  // A presigned URL always has an unsigned body.
  const payloadHash = request.headers['x-amz-content-sha256'] ?? 'UNSIGNED-PAYLOAD';
  if (payloadHash !== 'UNSIGNED-PAYLOAD') throw new StoreError('NotImplemented', 'This store takes unsigned bodies.');
  // The default iterator would close the connection on a full disk, before the answer that reports it.
  const body = request.iterator({ destroyOnReturn: false });
  const { md5 } = await storage.put({ key, contentType, sizeBytes: Number(length), body });
  response.writeHead(200, { ETag: `"${md5}"`, 'Content-Length': 0 }).end();
}

/** Sends an object; for HEAD only its headers. */
async function getObject({ storage, key, request, response }: ObjectRequest): Promise<void> {
  const object = await storage.open(key);
  if (!object) throw new StoreError('NoSuchKey');
  const { facts, file } = object;
  try {
    const etag = `"${facts.md5}"`;
    if ((request.headers['if-match'] ?? etag) !== etag) throw new StoreError('PreconditionFailed');
    const { contentType, sizeBytes } = facts;
    response.writeHead(200, { ETag: etag, 'Content-Type': contentType, 'Content-Length': sizeBytes });
    if (request.method === 'HEAD' || sizeBytes === 0) response.end();
    else await pipeline(file.createReadStream({ start: 0, end: sizeBytes - 1, autoClose: false }), response);
  } finally {
    await file.close();
  }
}

/** Deletes an object. A missing object counts as deleted. */
async function deleteObject({ storage, key, response }: ObjectRequest): Promise<void> {
  await storage.remove(key);
  response.writeHead(204).end();
}

/** Allows requests from any web page. Objects are protected by the signature; cookies are never read. */
function allowBrowsers(request: IncomingMessage, response: ServerResponse): void {
  if (request.headers.origin === undefined) return;
  response.setHeader('Access-Control-Allow-Origin', '*');
  response.setHeader('Access-Control-Expose-Headers', 'ETag');
  if (request.method !== 'OPTIONS') return;
  response.setHeader('Access-Control-Allow-Methods', 'PUT, GET, HEAD, DELETE');
  response.setHeader('Access-Control-Allow-Headers', request.headers['access-control-request-headers'] ?? '*');
  response.setHeader('Access-Control-Max-Age', '600');
}
