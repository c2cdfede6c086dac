import { encodePath, encodeRfc3986 } from '../../../common/platform/aws-signature.ts';
import { StoreError } from './store-error.ts';

export type RequestTarget = {
  /** Decoded, as it was sent: with its leading slash, dots and doubled slashes. */
  path: string;
  bucket: string;
  /** Empty when the bucket itself is meant. */
  key: string;
  /** Decoded pairs in the order sent. */
  query: [string, string][];
};

const maxKeyBytes = 1_024;

/** Reads the address of a path-style request. Throws InvalidURI or KeyTooLongError. */
export function readTarget(url: string): RequestTarget {
  const [rawPath = '', rawQuery = ''] = splitOnce(url, '?');
  if (!rawPath.startsWith('/')) throw new StoreError('InvalidURI');
  const path = decode(rawPath);
  const [bucket = '', key = ''] = splitOnce(path.slice(1), '/');
  if (Buffer.byteLength(key) > maxKeyBytes) throw new StoreError('KeyTooLongError');
  const query = rawQuery
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair): [string, string] => {
      const [name = '', value = ''] = splitOnce(pair, '=');
      return [decode(name), decode(value)];
    });

  return { path, bucket, key, query };
}

export type RequestToSign = {
  method: string;
  path: string;
  query: readonly (readonly [string, string])[];
  /** Empty when it was not sent. */
  header(name: string): string;
  /** Lower case, in the order of the signature. */
  signedHeaders: readonly string[];
  payloadHash: string;
};

/** The text that a signature covers. */
export function canonicalRequest({ method, path, query, header, signedHeaders, payloadHash }: RequestToSign): string {
  const pairs = query
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => [encodeRfc3986(name), encodeRfc3986(value)] as const)
    // By name first: sorting `name=value` would put `a-b` before `a`.
    .sort(([a, x], [b, y]) => (a === b ? compare(x, y) : compare(a, b)))
    .map(([name, value]) => `${name}=${value}`);
  const headers = signedHeaders.map((name) => `${name}:${header(name).trim().replace(/\s+/g, ' ')}`);
  return [method, encodePath(path), pairs.join('&'), ...headers, '', signedHeaders.join(';'), payloadHash].join('\n');
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

function splitOnce(text: string, separator: string): string[] {
  const at = text.indexOf(separator);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new StoreError('InvalidURI');
  }
}
