import { hash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { escapeUriPath, HttpRequest } from '@smithy/core/protocols';
import type { SignatureV4 } from '@smithy/signature-v4';
import { StoreError } from './store-error.ts';

type RequestTarget = {
  /** Decoded but not normalized: with its leading slash, dots and double slashes. */
  path: string;
  bucket: string;
  /** Empty for a request to the bucket itself. */
  key: string;
  /** Decoded. No name is repeated. */
  query: Record<string, string>;
};

export type SignedRequest = { method: string; target: RequestTarget; headers: IncomingHttpHeaders };

/** The signature of a request and what it depends on, not verified yet. */
type Claim = {
  /** Access key, day, region and service. */
  credential: string;
  signedHeaders: string[];
  signature: string;
  signedAt: Date;
  /** Lifetime of a presigned URL; null for signed headers. */
  expiresInS: number | null;
};

const maxSkewMs = 15 * 60_000;
const maxExpiresInS = 604_800;

/**
 * Verifies that `signer` signs the request (AWS Signature Version 4, by query or headers) as the client did, and that
 * the signature is not too old. Throws a StoreError for an invalid signature.
 */
export async function verifySignature(request: SignedRequest, signer: SignatureV4, now: Date): Promise<void> {
  const { target, headers } = request;
  const claim = readClaim(target.query, headers);
  refuseUnsignedHeaders(claim, headers);
  refuseWrongTime(claim, now);
  const again = await signAgain(request, claim, signer);
  if (!isEqual(claim, readClaim(again.query as RequestTarget['query'], again.headers)))
    throw new StoreError('SignatureDoesNotMatch');
}

function readClaim(query: Record<string, string | undefined>, headers: IncomingHttpHeaders): Claim {
  const { 'X-Amz-Signature': inQuery, 'X-Amz-SignedHeaders': names = '', 'X-Amz-Credential': access = '' } = query;
  if (inQuery !== undefined) {
    const [signedAt, expiresInS] = [readTime(query['X-Amz-Date'] ?? ''), Number(query['X-Amz-Expires'])];
    return { credential: access, signedHeaders: names.split(';'), signature: inQuery, signedAt, expiresInS };
  }
  const [, credential, signedHeaders, signature] =
    /Credential=([^,]+),\s*SignedHeaders=([^,]+),\s*Signature=(.+)$/.exec(headers.authorization ?? '') ?? [];
  if (!credential || !signedHeaders || !signature) throw new StoreError('AccessDenied');
  const signedAt = readTime(String(headers['x-amz-date']));
  return { credential, signedHeaders: signedHeaders.split(';'), signature, signedAt, expiresInS: null };
}

/** Takes constant time, so response times do not reveal a correct prefix of a signature. */
function isEqual(given: Claim, expected: Claim): boolean {
  const [a, b] = [given, expected].map(({ credential, signature }) => hash('sha256', credential + signature, 'buffer'));
  return a !== undefined && b !== undefined && timingSafeEqual(a, b);
}

/** Requires the signature to cover `host` and every `x-amz-` header. */
function refuseUnsignedHeaders({ signedHeaders }: Claim, headers: IncomingHttpHeaders): void {
  const mustBeSigned = ['host', ...Object.keys(headers).filter((name) => name.startsWith('x-amz-'))];
  if (mustBeSigned.every((name) => signedHeaders.includes(name))) return;
  throw new StoreError('AccessDenied', 'There were headers present in the request which were not signed.');
}

function refuseWrongTime({ signedAt, expiresInS }: Claim, now: Date): void {
  const ageMs = now.getTime() - signedAt.getTime();
  // Negated, so an invalid date (NaN) fails as well.
  if (!(ageMs >= -maxSkewMs)) throw new StoreError('RequestTimeTooSkewed');
  if (expiresInS === null && ageMs > maxSkewMs) throw new StoreError('RequestTimeTooSkewed');
  if (expiresInS === null) return;
  const isInTime = expiresInS <= maxExpiresInS && ageMs <= expiresInS * 1_000;
  if (!isInTime) throw new StoreError('AccessDenied', 'Request has expired');
}

async function signAgain(request: SignedRequest, claim: Claim, signer: SignatureV4) {
  const { method, target, headers } = request;
  const { signedHeaders, signedAt, expiresInS } = claim;
  const signed = signedHeaders.flatMap((name) => (headers[name] === undefined ? [] : [[name, String(headers[name])]]));
  const unsigned = new HttpRequest({
    method,
    path: escapeUriPath(target.path),
    query: target.query,
    headers: Object.fromEntries(signed),
  });
  const options = { signingDate: signedAt, signableHeaders: new Set(signedHeaders) };
  if (expiresInS === null) return (await signer.sign(unsigned, options)) as HttpRequest;
  unsigned.headers['X-Amz-Content-Sha256'] = 'UNSIGNED-PAYLOAD';
  return (await signer.presign(unsigned, { ...options, expiresIn: expiresInS })) as HttpRequest;
}

/** Parses `yyyymmddThhmmssZ`. Returns an invalid date for any other text. */
function readTime(text: string): Date {
  return new Date(text.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
}

/**
 * Parses the URL of a path-style request. Throws InvalidURI, and SignatureDoesNotMatch for a repeated parameter: no
 * signature of our clients covers two values, and it must be the same one that is verified and used.
 */
export function readTarget(url: string): RequestTarget {
  const [rawPath = '', rawQuery = ''] = splitOnce(url, '?');
  if (!rawPath.startsWith('/')) throw new StoreError('InvalidURI');
  const path = decode(rawPath);
  const [bucket = '', key = ''] = splitOnce(path.slice(1), '/');
  const pairs = rawQuery.split('&').filter((pair) => pair !== '');
  const query = Object.fromEntries(pairs.map((pair) => splitOnce(pair, '=').map(decode)));
  if (Object.keys(query).length < pairs.length) throw new StoreError('SignatureDoesNotMatch');

  return { path, bucket, key, query };
}

/** Returns the parts around the first separator; without one the text and an empty string. */
function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new StoreError('InvalidURI');
  }
}
