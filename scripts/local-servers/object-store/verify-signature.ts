import { timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { deriveSigningKey, signCanonicalRequest } from '../../../common/platform/aws-signature.ts';
import { type Authorization, readAuthorization } from './read-authorization.ts';
import { canonicalRequest, type RequestTarget } from './request-target.ts';
import { StoreError } from './store-error.ts';

export type StoreCredentials = { accessKeyId: string; secretAccessKey: string; region: string };

export type SignedRequest = { method: string; target: RequestTarget; headers: IncomingHttpHeaders };

const maxSkewMs = 15 * 60_000;

/**
 * Lets a request through that was signed with our key, for this method, path, query and headers, and is not too old.
 * Returns the hash that its body must have (or UNSIGNED-PAYLOAD); throws a StoreError otherwise.
 */
export function verifySignature(request: SignedRequest, credentials: StoreCredentials, now: Date): string {
  const { target, headers } = request;
  const authorization = readAuthorization(target.query, headers);
  if (authorization.accessKeyId !== credentials.accessKeyId) throw new StoreError('InvalidAccessKeyId');
  if (authorization.region !== credentials.region) {
    throw new StoreError('AuthorizationHeaderMalformed', `The region here is ${credentials.region}.`);
  }
  refuseUnsignedHeaders(authorization, headers);
  if (!isSignedByUs(request, authorization, credentials)) throw new StoreError('SignatureDoesNotMatch');
  refuseWrongTime(authorization, now);

  return authorization.payloadHash;
}

/** What steers the request must be covered: the host, and all of Amazon's own headers. */
function refuseUnsignedHeaders({ signedHeaders }: Authorization, headers: IncomingHttpHeaders): void {
  const mustBeSigned = Object.keys(headers).filter((name) => name === 'host' || name.startsWith('x-amz-'));
  if (!signedHeaders.includes('host') || mustBeSigned.some((name) => !signedHeaders.includes(name))) {
    throw new StoreError('AccessDenied', 'There were headers present in the request which were not signed.');
  }
}

function isSignedByUs(
  { method, target, headers }: SignedRequest,
  { signature, signedHeaders, timestamp, date, region, payloadHash }: Authorization,
  { secretAccessKey }: StoreCredentials,
): boolean {
  const { path, query } = target;
  const header = (name: string) => [headers[name]].flat().join(',');
  const day = { date, region };
  const expected = signCanonicalRequest(canonicalRequest({ method, path, query, header, signedHeaders, payloadHash }), {
    timestamp,
    day,
    signingKey: deriveSigningKey(secretAccessKey, day),
  });
  // Both are 64 hexadecimal characters. A comparison that stops early would tell how much of a guess was right.
  return timingSafeEqual(Buffer.from(expected), Buffer.from(signature));
}

function refuseWrongTime({ timestamp, expiresInS }: Authorization, now: Date): void {
  const signedAtMs = Date.parse(timestamp.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
  const ageMs = now.getTime() - signedAtMs;
  // Also for a time that does not exist, whose age is not a number.
  if (!(ageMs >= -maxSkewMs)) throw new StoreError('RequestTimeTooSkewed');
  if (expiresInS === null && ageMs > maxSkewMs) throw new StoreError('RequestTimeTooSkewed');
  if (expiresInS !== null && ageMs > expiresInS * 1_000) throw new StoreError('AccessDenied', 'Request has expired');
}
