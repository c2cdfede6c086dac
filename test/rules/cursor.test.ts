import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type CursorScope, createCursorCodec } from '../../common/cursor.ts';
import { AppError } from '../../common/errors.ts';

const key = Buffer.alloc(32, 7);
const codec = createCursorCodec(key);
const scope: CursorScope = { route: '/v1/mails', organizationId: 'org_1', mode: 'test', status: 'queued' };

/** What opening a cursor does: the id, or the path of the one issue that the caller is told about. */
function opened(cursor: string, inScope: CursorScope = scope, by = codec): unknown {
  try {
    return by.open(cursor, inScope);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    expect([error.code, error.status, error.issues?.length]).toEqual(['VALIDATION_ERROR', 400, 1]);
    return error.issues?.[0]?.path;
  }
}
const refused = ['cursor'];

describe('the cursor of a list', () => {
  test('given any last id, when it is sealed and opened in one scope, then it comes back', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, unit: 'grapheme' }), (lastId) => {
        const cursor = codec.seal(lastId, scope);
        expect(cursor).toMatch(/^[A-Za-z0-9_-]+$/);
        expect(opened(cursor)).toBe(lastId);
      }),
    );
  });

  test('given another process with the same key, when it opens a cursor, then it reads it', () => {
    expect(opened(codec.seal('mj_1', scope), scope, createCursorCodec(Buffer.from(key)))).toBe('mj_1');
  });

  test('given the fields of a scope in another order, or one that is absent, when it is opened, then it is the same scope', () => {
    const cursor = codec.seal('mj_1', scope);
    expect(opened(cursor, Object.fromEntries(Object.entries(scope).reverse()))).toBe('mj_1');
    expect(opened(cursor, { ...scope, externalId: undefined })).toBe('mj_1');
  });

  test.each([
    ['another route', { route: '/v1/webhooks' }],
    ['another organization', { organizationId: 'org_2' }],
    ['another mode', { mode: 'live' }],
    ['another filter', { status: 'failed' }],
    ['one filter less', { status: undefined }],
    ['one filter more', { externalId: 'a' }],
    ['a filter of another type', { limit: 1 }],
  ])('given a cursor made for %s, when it is opened here, then it is refused', (_name, change) => {
    expect(opened(codec.seal('mj_1', { ...scope, ...change }))).toEqual(refused);
    expect(opened(codec.seal('mj_1', scope), { ...scope, ...change })).toEqual(refused);
  });

  test('given 1 and "1" as a filter, when one is sealed, then the other does not open it', () => {
    expect(opened(codec.seal('mj_1', { page: 1 }), { page: '1' })).toEqual(refused);
  });

  test('given a cursor sealed with another key, when it is opened, then it is refused', () => {
    expect(opened(createCursorCodec(randomBytes(32)).seal('mj_1', scope))).toEqual(refused);
  });

  test('given a genuine cursor, when any one bit of it is turned, then it is refused', () => {
    const bytes = Buffer.from(codec.seal('mj_01h455vb4pex5vsknk084sn02q', scope), 'base64url');
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const forged = Buffer.from(bytes);
      forged.writeUInt8(forged.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      expect(opened(forged.toString('base64url'))).toEqual(refused);
    }
  });

  test('given a genuine cursor, when it is cut short anywhere, then it is refused', () => {
    const cursor = codec.seal('mj_01h455vb4pex5vsknk084sn02q', scope);
    for (let length = 0; length < cursor.length; length += 1) {
      expect(opened(cursor.slice(0, length))).toEqual(refused);
    }
  });

  test.each(['=', '!', ' ', '\n', 'AA', '\u0000'])(
    'given a genuine cursor, when %j is added before or after it, then it is refused',
    (extra) => {
      const cursor = codec.seal('mj_1', scope);
      expect([opened(cursor + extra), opened(extra + cursor)]).toEqual([refused, refused]);
    },
  );

  test.each(['', 'x', 'mj_1', '💌', 'a'.repeat(100_000), Buffer.alloc(40).toString('base64url')])(
    'given the made-up cursor %#, when it is opened, then it is refused',
    (cursor) => {
      expect(opened(cursor)).toEqual(refused);
    },
  );
});
