import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { unsignedPayload } from '../../../common/platform/aws-signature.ts';
import { etagOf, isUnchanged, readRange, refuseWrite } from './conditions.ts';
import type { DiskStorage, StagedObject } from './disk-storage.ts';
import { StoreError } from './store-error.ts';

/** A verified request for one object. */
export type ObjectRequest = {
  storage: DiskStorage;
  key: string;
  request: IncomingMessage;
  response: ServerResponse;
  /** The SHA-256 that the body must have, or UNSIGNED-PAYLOAD. */
  payloadHash: string;
  maxObjectBytes: number;
  now: Date;
};

const defaultContentType = 'binary/octet-stream';

/** Stores the body whole, or nothing of it. */
export async function putObject(put: ObjectRequest): Promise<void> {
  const { storage, key, request, response, maxObjectBytes, now } = put;
  const { headers } = request;
  if (headers['content-length'] === undefined) throw new StoreError('MissingContentLength');
  if (Number(headers['content-length']) > maxObjectBytes) throw new StoreError('EntityTooLarge');
  // Asked here to spare the sender the transfer, and again when it is complete, where nothing can come between.
  const present = await storage.open(key);
  await present?.file.close();
  refuseWrite(headers, present?.facts ?? null);
  if (headers.expect) response.writeContinue();

  const contentType = headers['content-type'] ?? defaultContentType;
  // The default iterator would cut the connection on a full disk, and with it the answer that says so.
  const body = request.iterator({ destroyOnReturn: false });
  const staged = await storage.stage({ key, contentType, body, storedAtMs: now.getTime() });
  try {
    refuseWrongBody(put, staged);
    const facts = await staged.keep((current) => refuseWrite(headers, current));
    response.writeHead(200, { ETag: etagOf(facts), 'Content-Length': 0 }).end();
  } catch (error) {
    await staged.discard();
    throw error;
  }
}

/** Hands an object out, whole or a range of it; for HEAD only what is known of it. */
export async function getObject({ storage, key, request, response }: ObjectRequest): Promise<void> {
  const object = await storage.open(key);
  if (!object) throw new StoreError('NoSuchKey');
  const { facts, file } = object;
  try {
    const known = { ETag: etagOf(facts), 'Last-Modified': new Date(facts.storedAtMs).toUTCString() };
    if (isUnchanged(request.headers, facts)) {
      response.writeHead(304, known).end();
      return;
    }
    const { sizeBytes } = facts;
    const range = readRange(request.headers.range, sizeBytes);
    const { start, end } = range ?? { start: 0, end: sizeBytes - 1 };
    response.writeHead(range ? 206 : 200, {
      ...known,
      'Content-Type': facts.contentType,
      'Content-Length': end - start + 1,
      'Accept-Ranges': 'bytes',
      ...(range && { 'Content-Range': `bytes ${start}-${end}/${sizeBytes}` }),
    });
    if (request.method === 'HEAD' || sizeBytes === 0) response.end();
    else await pipeline(file.createReadStream({ start, end, autoClose: false }), response);
  } finally {
    await file.close();
  }
}

/** Deletes; what is not there counts as deleted. */
export async function deleteObject({ storage, key, request, response }: ObjectRequest): Promise<void> {
  await storage.remove(key, (current) => refuseWrite(request.headers, current));
  response.writeHead(204).end();
}

function refuseWrongBody({ request, payloadHash }: ObjectRequest, { sizeBytes, md5, sha256 }: StagedObject): void {
  const { 'content-length': announcedBytes, 'content-md5': contentMd5 } = request.headers;
  if (sizeBytes !== Number(announcedBytes)) throw new StoreError('IncompleteBody');
  if (payloadHash !== unsignedPayload && payloadHash !== sha256) throw new StoreError('XAmzContentSHA256Mismatch');
  if (contentMd5 !== undefined && contentMd5 !== Buffer.from(md5, 'hex').toString('base64')) {
    throw new StoreError('BadDigest');
  }
}
