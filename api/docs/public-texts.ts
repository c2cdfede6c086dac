import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { RequestHandler } from 'express';

const pack = promisify(gzip);

/** Compressed texts. A buffer that is sent again is a constant, and is compressed once. */
const packed = new WeakMap<Buffer, Promise<Buffer>>();

function packOnce(body: Buffer): Promise<Buffer> {
  const known = packed.get(body) ?? pack(body);
  packed.set(body, known);
  return known;
}

/** Lets scripts of all origins read public texts. They carry no cookies and need no credential. */
export const openToAllOrigins: RequestHandler = (_request, response, next) => {
  response.set('Access-Control-Allow-Origin', '*');
  next();
};

/** Compresses what later handlers pass to `send` for clients that accept gzip. For public texts: they hold no secret. */
export const compressTexts: RequestHandler = (request, response, next) => {
  response.vary('Accept-Encoding');
  if (!request.acceptsEncodings('gzip')) return next();
  const send = response.send.bind(response);
  response.send = (body: string | Buffer) => {
    response.send = send;
    const packing = Buffer.isBuffer(body) ? packOnce(body) : pack(body);
    packing.then((bytes) => send(response.set('Content-Encoding', 'gzip') && bytes)).catch(next);
    return response;
  };
  next();
};
