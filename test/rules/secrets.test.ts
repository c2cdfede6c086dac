import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  areEqualDigests,
  createKeyRing,
  newWebhookSecret,
  randomBase32,
  sha256Hex,
  toBase32,
} from '../../common/secrets.ts';

const keyOf = (id: string, fill: number) => `${id}:${Buffer.alloc(32, fill).toString('base64')}`;
const [first, second] = [keyOf('k1', 1), keyOf('k2', 2)];
const context = 'webhook:wh_1';

describe('base32', () => {
  test.each([
    ['', ''],
    ['f', 'my'],
    ['fo', 'mzxq'],
    ['foo', 'mzxw6'],
    ['foob', 'mzxw6yq'],
    ['fooba', 'mzxw6ytb'],
    ['foobar', 'mzxw6ytboi'],
  ])('given the test vector %j of RFC 4648, when it is written, then it is %j', (text, expected) => {
    expect(toBase32(Buffer.from(text))).toBe(expected);
  });

  test('given any bytes, when they are written and read back bit by bit, then they are the same', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
        const bits = [...toBase32(bytes)].map((letter) => 'abcdefghijklmnopqrstuvwxyz234567'.indexOf(letter));
        const text = bits.map((value) => value.toString(2).padStart(5, '0')).join('');
        const back = (text.match(/.{8}/g) ?? []).map((octet) => Number.parseInt(octet, 2));
        expect(Uint8Array.from(back)).toEqual(bytes);
      }),
    );
  });

  test('given 32 random bytes, when they are written, then they are 52 characters that never come twice', () => {
    const made = Array.from({ length: 1_000 }, () => randomBase32(32));
    expect(made.every((text) => /^[a-z2-7]{52}$/.test(text))).toBe(true);
    expect(new Set(made).size).toBe(1_000);
  });
});

describe('digests and webhook secrets', () => {
  test('given the vector of FIPS 180-2, when it is hashed, then the digest is lower-case hex', () => {
    expect(sha256Hex('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });

  test('given two digests, when they are compared, then only the same are equal', () => {
    expect(areEqualDigests(sha256Hex('a'), sha256Hex('a'))).toBe(true);
    expect(areEqualDigests(sha256Hex('a'), sha256Hex('b'))).toBe(false);
    expect(areEqualDigests(sha256Hex('a'), '')).toBe(false);
    expect(areEqualDigests(sha256Hex('a'), sha256Hex('a').slice(0, -1))).toBe(false);
    // Neither is hex: decoded, both would be nothing.
    expect(areEqualDigests('zz', 'yy')).toBe(false);
  });

  test('given a new webhook secret, when it is looked at, then it is whsec_ and 32 bytes in base64', () => {
    const secret = newWebhookSecret();
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(Buffer.from(secret.slice(6), 'base64')).toHaveLength(32);
    expect(newWebhookSecret()).not.toBe(secret);
  });
});

describe('the key ring', () => {
  test('given any text, when it is sealed twice, then both open to it and neither shows it nor equals the other', () => {
    const ring = createKeyRing([first]);
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (plain) => {
        const [left, right] = [ring.encrypt(plain, context), ring.encrypt(plain, context)];
        expect(left).not.toBe(right);
        expect([ring.decrypt(left, context), ring.decrypt(right, context)]).toEqual([plain, plain]);
      }),
    );
  });

  test('given an old key, when a new one is put in front, then old texts still open and new ones use the new key', () => {
    const old = createKeyRing([first]).encrypt('whsec_old', context);
    const rotated = createKeyRing([second, first]);
    expect(rotated.decrypt(old, context)).toBe('whsec_old');
    const sealed = rotated.encrypt('whsec_new', context);
    expect(sealed.split('.')[0]).toBe('k2');
    expect(createKeyRing([second]).decrypt(sealed, context)).toBe('whsec_new');
  });

  test('given a key that was taken out, when its texts are opened, then the error names the key and the variable', () => {
    const old = createKeyRing([first]).encrypt('whsec_old', context);
    expect(() => createKeyRing([second]).decrypt(old, context)).toThrow('No encryption key "k1" in ENCRYPTION_KEYS');
  });

  test('given another key under the same id, when a text is opened, then it does not open', () => {
    const sealed = createKeyRing([first]).encrypt('whsec_x', context);
    expect(() => createKeyRing([keyOf('k1', 9)]).decrypt(sealed, context)).toThrow();
  });

  test('given a text sealed for one context, when it is opened in another, then it does not open', () => {
    const ring = createKeyRing([first]);
    const sealed = ring.encrypt('whsec_x', context);
    for (const other of ['', 'webhook:wh_2', `${context} `]) expect(() => ring.decrypt(sealed, other)).toThrow();
  });

  test('given a sealed text, when any bit of any part is turned, then it does not open', () => {
    const ring = createKeyRing([first]);
    const parts = ring.encrypt('whsec_x', context).split('.');
    for (const index of [1, 2, 3]) {
      const bytes = Buffer.from(parts[index] ?? '', 'base64url');
      for (let bit = 0; bit < bytes.length * 8; bit += 1) {
        const forged = Buffer.from(bytes);
        forged.writeUInt8(forged.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
        const text = parts.with(index, forged.toString('base64url')).join('.');
        expect(() => ring.decrypt(text, context)).toThrow();
      }
    }
  });

  test('given a sealed text, when its tag is cut to what is easier to guess, then it does not open', () => {
    const ring = createKeyRing([first]);
    const parts = ring.encrypt('whsec_x', context).split('.');
    const tag = Buffer.from(parts[2] ?? '', 'base64url');
    for (const length of [0, 4, 8, 12, 15]) {
      const text = parts.with(2, tag.subarray(0, length).toString('base64url')).join('.');
      expect(() => ring.decrypt(text, context)).toThrow();
    }
  });

  test.each(['', '.', 'k1', 'k1...', 'k1.AAAA.BBBB.CCCC', 'nonsense'])(
    'given the made-up text %j, when it is opened, then it throws',
    (text) => {
      expect(() => createKeyRing([first]).decrypt(text, context)).toThrow();
    },
  );

  test('given no key at all, when a ring is made, then it throws', () => {
    expect(() => createKeyRing([])).toThrow(/at least one key/);
  });
});

describe('derived keys', () => {
  test('given the same ring and purpose, when a key is derived again, then it is the same 32 bytes', () => {
    const key = createKeyRing([first, second]).derive('cursor');
    expect(key).toHaveLength(32);
    expect(createKeyRing([first]).derive('cursor')).toEqual(key);
  });

  test('given another purpose, another writing key or the key itself, when it is derived, then it differs', () => {
    const keys = [
      createKeyRing([first]).derive('cursor'),
      createKeyRing([first]).derive('token'),
      createKeyRing([second, first]).derive('cursor'),
      Buffer.alloc(32, 1),
    ];
    expect(new Set(keys.map((key) => key.toString('hex'))).size).toBe(keys.length);
  });

  test('given random keys, when two rings derive, then nothing is shared', () => {
    const rings = [randomBytes(32), randomBytes(32)].map((key) => createKeyRing([`k:${key.toString('base64')}`]));
    expect(rings[0]?.derive('cursor')).not.toEqual(rings[1]?.derive('cursor'));
  });
});
