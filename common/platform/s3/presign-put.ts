import { S3RequestPresigner } from '@aws-sdk/s3-request-presigner';
import { buildQueryString } from '@smithy/core/protocols';
import { Hash } from '@smithy/core/serde';
import { type BucketAccess, createBucketRequests, sdkAccess } from './bucket-request.ts';

export type PutToSign = {
  key: string;
  contentType: string;
  /** Exactly this many bytes, 0 or more. */
  sizeBytes: number;
  /** 1 to 604,800 (seven days, the maximum of S3). */
  expiresInS: number;
  at: Date;
};

/** The URL of the PUT, and its required headers. content-length is signed too, and set by the client library. */
export type PresignedPut = { url: string; headers: { 'content-type': string } };

const maxExpiresInS = 604_800;

/**
 * Returns a function that signs one upload of exactly this key, type and length. A second PUT replaces the first, so
 * readers must pin the ETag. Rejects with RangeError for an empty key and for numbers out of range.
 */
export function createPutSigner(access: BucketAccess): (put: PutToSign) => Promise<PresignedPut> {
  const presigner = new S3RequestPresigner({ ...sdkAccess(access), sha256: Hash.bind(null, 'sha256') });
  const toHttp = createBucketRequests(access);
  return async (put) => {
    requireValid(put);
    const { key, contentType, sizeBytes } = put;
    const headers = { 'content-type': contentType, 'content-length': String(sizeBytes) };
    const {
      protocol,
      headers: { host },
      path,
      query,
    } = await presigner.presign(
      toHttp({ method: 'PUT', key, headers, query: { 'x-id': 'PutObject' } }),
      // The presigner leaves out the type unless it is named here.
      { expiresIn: put.expiresInS, signingDate: put.at, signableHeaders: new Set(['content-type']) },
    );
    const url = `${protocol}//${host}${path}?${buildQueryString(query ?? {})}`;
    return { url, headers: { 'content-type': contentType } };
  };
}

function requireValid({ key, contentType, sizeBytes, expiresInS }: PutToSign): void {
  requireValidKey(key);
  // Repeated spaces and line breaks would be normalised on the way and invalidate the signature.
  if (!/^[!-~]+( [!-~]+)*$/.test(contentType)) throw new RangeError('The content type is not a plain header value.');
  if (!Number.isSafeInteger(sizeBytes) || sizeBytes < 0) throw new RangeError('sizeBytes is a whole number from 0.');
  requireValidLifetime(expiresInS);
}

/** Throws RangeError for the empty key, which would name the bucket. */
export function requireValidKey(key: string): void {
  if (key === '') throw new RangeError('An object needs a key.');
}

/** Throws RangeError unless S3 accepts a signed URL that lives so many seconds. */
export function requireValidLifetime(expiresInS: number): void {
  if (Number.isSafeInteger(expiresInS) && expiresInS >= 1 && expiresInS <= maxExpiresInS) return;
  throw new RangeError(`expiresInS is a whole number from 1 to ${maxExpiresInS}.`);
}
