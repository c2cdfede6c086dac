import { StoreError } from './store-error.ts';

export type RequestTarget = {
  /** Decoded but not normalized: with its leading slash, dots and double slashes. */
  path: string;
  bucket: string;
  /** Empty for a request to the bucket itself. */
  key: string;
  /** Decoded. Of a repeated name, the last value. */
  query: Record<string, string>;
};

/** Parses the URL of a path-style request. Throws InvalidURI. */
export function readTarget(url: string): RequestTarget {
  const [rawPath = '', rawQuery = ''] = splitOnce(url, '?');
  if (!rawPath.startsWith('/')) throw new StoreError('InvalidURI');
  const path = decode(rawPath);
  const [bucket = '', key = ''] = splitOnce(path.slice(1), '/');
  const pairs = rawQuery.split('&').filter((pair) => pair !== '');
  const query = Object.fromEntries(pairs.map((pair) => splitOnce(pair, '=').map(decode)));

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
