import { S3RequestPresigner } from '@aws-sdk/s3-request-presigner';
import { buildQueryString } from '@smithy/core/protocols';
import { Hash } from '@smithy/core/serde';
import { type BucketAccess, createBucketRequests, sdkAccess } from './bucket-request.ts';
import { requireValidKey, requireValidLifetime } from './presign-put.ts';

export type GetToSign = {
  key: string;
  /** 1 to 604,800 (seven days, the maximum of S3). */
  expiresInS: number;
  at: Date;
};

/**
 * Returns a function that signs a download of one object. Until the URL expires, anyone who has it can read the object.
 * Rejects with RangeError for an empty key and for a lifetime out of range.
 */
export function createGetSigner(access: BucketAccess): (get: GetToSign) => Promise<string> {
  const presigner = new S3RequestPresigner({ ...sdkAccess(access), sha256: Hash.bind(null, 'sha256') });
  const toHttp = createBucketRequests(access);
  return async ({ key, expiresInS, at }) => {
    requireValidKey(key);
    requireValidLifetime(expiresInS);
    const {
      protocol,
      headers: { host },
      path,
      query,
    } = await presigner.presign(toHttp({ method: 'GET', key, query: { 'x-id': 'GetObject' } }), {
      expiresIn: expiresInS,
      signingDate: at,
    });
    return `${protocol}//${host}${path}?${buildQueryString(query ?? {})}`;
  };
}
