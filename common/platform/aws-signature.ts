import { createHmac, hash } from 'node:crypto';

/** The pieces of AWS Signature Version 4 that signing and verifying share; S3's flavour (paths encoded once). */
export const signatureAlgorithm = 'AWS4-HMAC-SHA256';

/** Stands for the hash of a body that is not part of the signature. */
export const unsignedPayload = 'UNSIGNED-PAYLOAD';

/** What a key is good for: one day (`yyyymmdd`, UTC) in one region. */
export type SigningDay = { date: string; region: string };

/** Percent-encodes all but the unreserved characters of RFC 3986. Throws URIError on a lone surrogate. */
export function encodeRfc3986(text: string): string {
  // encodeURIComponent leaves these five alone; a signature does not.
  return encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** A path as S3 signs it: encoded once, slashes left, nothing normalised. */
export function encodePath(path: string): string {
  return encodeRfc3986(path).replaceAll('%2F', '/');
}

/** `20260102T030405Z`, the form of X-Amz-Date. */
export function amzDate(at: Date): string {
  return at.toISOString().replace(/[-:]|\.\d{3}/g, '');
}

/** The text after the access key in a credential. */
export function credentialScope({ date, region }: SigningDay): string {
  return `${date}/${region}/s3/aws4_request`;
}

/** Four HMACs that stay the same for a day: worth keeping, they are most of a signature's cost. */
export function deriveSigningKey(secretAccessKey: string, { date, region }: SigningDay): Buffer {
  const ofDay = hmac(`AWS4${secretAccessKey}`, date);
  return hmac(hmac(hmac(ofDay, region), 's3'), 'aws4_request');
}

/** The signature, 64 hexadecimal characters, of a canonical request made at `timestamp` (see `amzDate`). */
export function signCanonicalRequest(
  canonicalRequest: string,
  { timestamp, day, signingKey }: { timestamp: string; day: SigningDay; signingKey: Buffer },
): string {
  const digest = hash('sha256', canonicalRequest);
  const stringToSign = `${signatureAlgorithm}\n${timestamp}\n${credentialScope(day)}\n${digest}`;
  return createHmac('sha256', signingKey).update(stringToSign).digest('hex');
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
