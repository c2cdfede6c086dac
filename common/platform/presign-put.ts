import {
  amzDate,
  credentialScope,
  deriveSigningKey,
  encodePath,
  encodeRfc3986,
  signatureAlgorithm,
  signCanonicalRequest,
  unsignedPayload,
} from './aws-signature.ts';

export type PutSignerSettings = {
  /** Origin, and path prefix if any, that the client will talk to. */
  endpoint: string;
  region: string;
  bucket: string;
  accessKeyId: string;
  secretAccessKey: string;
};

export type PutToSign = {
  key: string;
  contentType: string;
  /** Exactly this many bytes, 0 or more. */
  sizeBytes: number;
  /** 1 to 604,800 (seven days, the most that S3 knows). */
  expiresInS: number;
  at: Date;
};

/** Where to PUT, and the headers that must go with it; content-length, signed too, is the client library's own. */
export type PresignedPut = { url: string; headers: { 'content-type': string } };

const maxExpiresInS = 604_800;
const signedHeaders = 'content-length;content-type;host';

/**
 * Makes a function that signs one upload: this key, type and length. A second PUT replaces the first; whoever relies on the
 * object must pin its ETag.
 * Written out because the SDK takes 320 to 560 µs for what takes 6 µs with the day's key kept; a test holds both equal.
 * It throws RangeError for an empty key and for numbers out of range.
 */
export function createPutSigner(settings: PutSignerSettings): (put: PutToSign) => PresignedPut {
  const { accessKeyId, secretAccessKey, region, bucket } = settings;
  const endpoint = new URL(settings.endpoint);
  const prefix = `${endpoint.pathname.replace(/\/+$/, '')}/${bucket}/`;
  let kept: { date: string; signingKey: Buffer } | undefined;

  function signingKeyOf(date: string): Buffer {
    if (kept?.date !== date) kept = { date, signingKey: deriveSigningKey(secretAccessKey, { date, region }) };
    return kept.signingKey;
  }

  return (put) => {
    refuseNonsense(put);
    const timestamp = amzDate(put.at);
    const day = { date: timestamp.slice(0, 8), region };
    const path = prefix + encodePath(put.key);
    // Already in the order that the signature wants: by name.
    const before = [
      `X-Amz-Algorithm=${signatureAlgorithm}`,
      `X-Amz-Content-Sha256=${unsignedPayload}`,
      `X-Amz-Credential=${encodeRfc3986(`${accessKeyId}/${credentialScope(day)}`)}`,
      `X-Amz-Date=${timestamp}`,
      `X-Amz-Expires=${put.expiresInS}`,
    ].join('&');
    const after = `X-Amz-SignedHeaders=${encodeRfc3986(signedHeaders)}&x-id=PutObject`;
    const canonicalRequest = [
      'PUT',
      path,
      `${before}&${after}`,
      `content-length:${put.sizeBytes}`,
      `content-type:${put.contentType}`,
      `host:${endpoint.host}`,
      '',
      signedHeaders,
      unsignedPayload,
    ].join('\n');
    const signature = signCanonicalRequest(canonicalRequest, { timestamp, day, signingKey: signingKeyOf(day.date) });

    return {
      url: `${endpoint.origin}${path}?${before}&X-Amz-Signature=${signature}&${after}`,
      headers: { 'content-type': put.contentType },
    };
  };
}

function refuseNonsense({ key, contentType, sizeBytes, expiresInS }: PutToSign): void {
  if (key === '') throw new RangeError('An upload needs a key.');
  // Inner runs of blanks and line breaks would be signed in another form than they are sent in.
  if (!/^[!-~]+( [!-~]+)*$/.test(contentType)) throw new RangeError('The content type is not a plain header value.');
  if (!Number.isSafeInteger(sizeBytes) || sizeBytes < 0) throw new RangeError('sizeBytes is a whole number from 0.');
  if (!Number.isSafeInteger(expiresInS) || expiresInS < 1 || expiresInS > maxExpiresInS) {
    throw new RangeError(`expiresInS is a whole number from 1 to ${maxExpiresInS}.`);
  }
}
