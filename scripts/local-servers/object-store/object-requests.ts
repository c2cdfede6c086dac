import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { DiskStorage } from './disk-storage.ts';
import { StoreError } from './store-error.ts';

/** A request for one object with a verified signature. */
export type ObjectRequest = { storage: DiskStorage; key: string; request: IncomingMessage; response: ServerResponse };

const defaultContentType = 'binary/octet-stream';

/** Stores the whole body or nothing. */
export async function putObject({ storage, key, request, response }: ObjectRequest): Promise<void> {
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
export async function getObject({ storage, key, request, response }: ObjectRequest): Promise<void> {
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
export async function deleteObject({ storage, key, response }: ObjectRequest): Promise<void> {
  await storage.remove(key);
  response.writeHead(204).end();
}
