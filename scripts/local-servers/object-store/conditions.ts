import type { IncomingHttpHeaders } from 'node:http';
import type { ObjectFacts } from './object-file.ts';
import { StoreError } from './store-error.ts';

/** The wire's form of an object's ETag. */
export function etagOf({ md5 }: ObjectFacts): string {
  return `"${md5}"`;
}

/** Throws when the If-Match or If-None-Match of a write does not allow it over what is there. */
export function refuseWrite(headers: IncomingHttpHeaders, current: ObjectFacts | null): void {
  const ifMatch = headers['if-match'];
  const ifNoneMatch = headers['if-none-match'];
  if (ifNoneMatch !== undefined && ifNoneMatch.trim() !== '*') {
    throw new StoreError('NotImplemented', 'On a write If-None-Match can only be *.');
  }
  if (ifMatch !== undefined && !current) throw new StoreError('NoSuchKey');
  if (ifMatch !== undefined && current && !isNamed(ifMatch, current)) throw new StoreError('PreconditionFailed');
  if (ifNoneMatch !== undefined && current) throw new StoreError('PreconditionFailed');
}

/** Throws PreconditionFailed when If-Match names another object; returns whether the reader has this one already. */
export function isUnchanged(headers: IncomingHttpHeaders, current: ObjectFacts): boolean {
  const { 'if-match': ifMatch, 'if-none-match': ifNoneMatch } = headers;
  if (ifMatch !== undefined && !isNamed(ifMatch, current)) throw new StoreError('PreconditionFailed');
  return ifNoneMatch !== undefined && isNamed(ifNoneMatch, current);
}

/** Both ends inclusive, counted from 0. */
export type ByteRange = { start: number; end: number };

/**
 * Reads a Range header against an object of `sizeBytes`. null means the whole object: no header, another unit,
 * several ranges, or nonsense, all of which HTTP allows to overlook. Throws InvalidRange for one outside the object.
 */
export function readRange(header: string | undefined, sizeBytes: number): ByteRange | null {
  const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '') ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return null;

  // `-n` is the last n bytes.
  const start = first === '' ? Math.max(0, sizeBytes - Number(last)) : Number(first);
  const end = first === '' || last === '' ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1);
  if (first !== '' && last !== '' && Number(last) < Number(first)) return null;
  if (start >= sizeBytes) throw new StoreError('InvalidRange');

  return { start, end };
}

/** Whether a list of ETags, quoted or (as S3 allows) not, or `*`, names the object. A weak ETag names nothing. */
function isNamed(list: string, current: ObjectFacts): boolean {
  const names = list.split(',').map((name) => name.trim().replace(/^"(.*)"$/, '$1'));
  return names.includes('*') || names.includes(current.md5);
}
