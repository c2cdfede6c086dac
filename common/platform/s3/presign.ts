import { S3RequestPresigner } from '@aws-sdk/s3-request-presigner';
import { buildQueryString } from '@smithy/core/protocols';
import { Hash } from '@smithy/core/serde';
import { type BucketAccess, type BucketRequest, createBucketRequests, sdkAccess } from './bucket-request.ts';

export type GetToSign = {
  key: string;
  /** 1 to 604,800 (seven days, the maximum of S3). */
  expiresInS: number;
  at: Date;
};

export type PutToSign = GetToSign & {
  contentType: string;
  /** Exactly this many bytes, 0 or more. */
  sizeBytes: number;
};

/** The URL of the PUT, and its required headers. content-length is signed too, and set by the client library. */
export type PresignedPut = { url: string; headers: { 'content-type': string } };

const maxExpiresInS = 604_800;

/**
 * Returns a function that signs a download of one object. Until the URL expires, anyone who has it can read the object.
 * Rejects with RangeError for an empty key and for a lifetime out of range.
 */
export function createGetSigner(access: BucketAccess): (get: GetToSign) => Promise<string> {
  const sign = createSigner(access);
  return async (get) => await sign({ method: 'GET', key: get.key, query: { 'x-id': 'GetObject' } }, get);
}

/**
 * Returns a function that signs one upload of exactly this key, type and length. A second PUT replaces the first, so
 * readers must pin the ETag. Rejects with RangeError for an empty key and for numbers out of range.
 */
export function createPutSigner(access: BucketAccess): (put: PutToSign) => Promise<PresignedPut> {
  const sign = createSigner(access);
  return async (put) => {
    const { key, contentType, sizeBytes } = put;
    // Repeated spaces and line breaks would be normalised on the way and invalidate the signature.
    if (!/^[!-~]+( [!-~]+)*$/.test(contentType)) throw new RangeError('The content type is not a plain header value.');
    if (!Number.isSafeInteger(sizeBytes) || sizeBytes < 0) throw new RangeError('sizeBytes is a whole number from 0.');
    const headers = { 'content-type': contentType, 'content-length': String(sizeBytes) };
    const url = await sign({ method: 'PUT', key, headers, query: { 'x-id': 'PutObject' } }, put);
    return { url, headers: { 'content-type': contentType } };
  };
}

function createSigner(access: BucketAccess) {
  const presigner = new S3RequestPresigner({ ...sdkAccess(access), sha256: Hash.bind(null, 'sha256') });
  const toHttp = createBucketRequests(access);
  return async (request: BucketRequest, { key, expiresInS, at }: GetToSign): Promise<string> => {
    // The empty key would name the bucket.
    if (key === '') throw new RangeError('An object needs a key.');
    if (!Number.isSafeInteger(expiresInS) || expiresInS < 1 || expiresInS > maxExpiresInS) {
      throw new RangeError(`expiresInS is a whole number from 1 to ${maxExpiresInS}.`);
    }
    const { protocol, headers, path, query } = await presigner.presign(
      toHttp(request),
      // The presigner leaves out the type unless it is named here.
      { expiresIn: expiresInS, signingDate: at, signableHeaders: new Set(['content-type']) },
    );
    const { host } = headers;
    return `${protocol}//${host}${path}?${buildQueryString(query ?? {})}`;
  };
}
