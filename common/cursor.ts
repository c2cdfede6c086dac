import { createHmac, timingSafeEqual } from 'node:crypto';
import { invalid } from './errors.ts';

/** What a cursor holds for: route, organization, mode and filters. One made for another scope is refused. */
export type CursorScope = Record<string, string | number | boolean | undefined>;

/** Makes and reads the opaque cursors of lists: the id of the last row of a page, sealed together with its scope. */
export type CursorCodec = {
  seal(lastId: string, scope: CursorScope): string;
  /** The id of the last row. Throws VALIDATION_ERROR at `["cursor"]` for one that was forged or made elsewhere. */
  open(cursor: string, scope: CursorScope): string;
};

const tagBytes = 16;

/** `key` is derived from the key ring, so cursors are good in every process and after each restart. */
export function createCursorCodec(key: Buffer): CursorCodec {
  const tagOf = (lastId: string, scope: CursorScope) => {
    const fields = Object.entries(scope).filter(([, value]) => value !== undefined);
    const text = JSON.stringify([lastId, fields.sort(([a], [b]) => (a < b ? -1 : 1))]);
    return createHmac('sha256', key).update(text).digest().subarray(0, tagBytes);
  };

  return {
    seal: (lastId, scope) => Buffer.concat([tagOf(lastId, scope), Buffer.from(lastId)]).toString('base64url'),
    open(cursor, scope) {
      const bytes = Buffer.from(cursor, 'base64url');
      const lastId = bytes.subarray(tagBytes).toString('utf8');
      // Decoding skips what is not base64url: only the one spelling that was handed out is taken.
      const isWhole = bytes.length > tagBytes && bytes.toString('base64url') === cursor;
      if (!isWhole || !timingSafeEqual(bytes.subarray(0, tagBytes), tagOf(lastId, scope)))
        throw invalid(['cursor'], 'Pass nextCursor of an earlier page of this very list, unchanged.');
      return lastId;
    },
  };
}
