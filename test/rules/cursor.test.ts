// Level: unit
import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { type CursorScope, createCursorCodec } from '#common/cursor.ts';
import { AppError } from '#common/errors.ts';
import { createKeyRing } from '#common/secrets.ts';
import { describe, expect, forAny, test } from '../support/jest.ts';

const codecOf = (...keys: Buffer[]) =>
  createCursorCodec(createKeyRing(keys.map((key, index) => `k${index}:${key.toString('base64')}`)).signer('cursors'));
const key = Buffer.alloc(32, 7);
const codec = codecOf(key);
const scope: CursorScope = { route: '/v1/mails', organizationId: 'org_1', mode: 'test', status: 'queued' };

/** Returns the id in a cursor, or the path of the issue reported to the caller. */
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
  test('a cursor returns any last id in the scope it was made for', () => {
    forAny([fc.string({ minLength: 1, unit: 'grapheme' })], (lastId) => {
      const cursor = codec.seal(lastId, scope);
      expect(cursor).toMatch(/^[A-Za-z0-9_-]+$/);
      expect(opened(cursor)).toBe(lastId);
    });
  });

  test('another process with the same key reads a cursor', () => {
    expect(opened(codec.seal('mj_1', scope), scope, codecOf(Buffer.from(key)))).toBe('mj_1');
  });

  test('the order of scope fields and absent fields make no difference', () => {
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
  ])('a cursor made for %s is refused', (_name, change) => {
    expect(opened(codec.seal('mj_1', { ...scope, ...change }))).toEqual(refused);
    expect(opened(codec.seal('mj_1', scope), { ...scope, ...change })).toEqual(refused);
  });

  test('a filter of 1 and one of "1" are different scopes', () => {
    expect(opened(codec.seal('mj_1', { page: 1 }), { page: '1' })).toEqual(refused);
  });

  test('a cursor signed with another key is refused', () => {
    expect(opened(codecOf(randomBytes(32)).seal('mj_1', scope))).toEqual(refused);
  });

  test('a cursor is valid while its key is in the ring, and the first key signs', () => {
    const newer = randomBytes(32);
    const both = codecOf(newer, key);
    expect(opened(codec.seal('mj_1', scope), scope, both)).toBe('mj_1');
    expect(opened(both.seal('mj_1', scope), scope, codecOf(newer))).toBe('mj_1');
    expect(opened(both.seal('mj_1', scope))).toEqual(refused);
  });

  test('a cursor with any bit flipped is refused', () => {
    const bytes = Buffer.from(codec.seal('mj_01h455vb4pex5vsknk084sn02q', scope), 'base64url');
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const forged = Buffer.from(bytes);
      forged.writeUInt8(forged.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      expect(opened(forged.toString('base64url'))).toEqual(refused);
    }
  });

  test('a cursor truncated anywhere is refused', () => {
    const cursor = codec.seal('mj_01h455vb4pex5vsknk084sn02q', scope);
    for (let length = 0; length < cursor.length; length += 1) {
      expect(opened(cursor.slice(0, length))).toEqual(refused);
    }
  });

  test.each(['=', '!', ' ', '\n', 'AA', '\u0000'])('a cursor with %j before or after it is refused', (extra) => {
    const cursor = codec.seal('mj_1', scope);
    expect([opened(cursor + extra), opened(extra + cursor)]).toEqual([refused, refused]);
  });

  const invented = ['', 'x', 'mj_1', '💌', 'a'.repeat(100_000), Buffer.alloc(40).toString('base64url')];
  test.each(invented)('the invented cursor %# is refused', (cursor) => {
    expect(opened(cursor)).toEqual(refused);
  });
});
