import { invalid } from './errors.ts';
import type { Signer } from './secrets.ts';

/** What a cursor is valid for: route, organization, mode and filters. A cursor of another scope is refused. */
export type CursorScope = Record<string, string | number | boolean | undefined>;

/** Creates and reads the opaque cursors of lists: the id of the last row of a page, signed together with its scope. */
export type CursorCodec = {
  seal(lastId: string, scope: CursorScope): string;
  /**
   * Returns the id of the last row. Throws VALIDATION_ERROR at `["cursor"]` for a forged cursor or one of another list.
   */
  open(cursor: string, scope: CursorScope): string;
};

const tagBytes = 16;

/** Creates a codec. Cursors are valid in every process and after restarts, while the signing key is in the key ring. */
export function createCursorCodec(signer: Signer): CursorCodec {
  const textOf = (lastId: string, scope: CursorScope) => {
    const fields = Object.entries(scope).filter(([, value]) => value !== undefined);
    return JSON.stringify([lastId, fields.sort(([a], [b]) => (a < b ? -1 : 1))]);
  };

  return {
    seal(lastId, scope) {
      const tag = signer.sign(textOf(lastId, scope)).subarray(0, tagBytes);
      return Buffer.concat([tag, Buffer.from(lastId)]).toString('base64url');
    },
    open(cursor, scope) {
      const bytes = Buffer.from(cursor, 'base64url');
      const lastId = bytes.subarray(tagBytes).toString('utf8');
      // Decoding ignores invalid characters, so accept only the exact spelling that was issued.
      const isWhole = bytes.length > tagBytes && bytes.toString('base64url') === cursor;
      if (!isWhole || !signer.isSigned(textOf(lastId, scope), bytes.subarray(0, tagBytes), tagBytes))
        throw invalid(['cursor'], 'Pass nextCursor of an earlier page of this very list, unchanged.');
      return lastId;
    },
  };
}
