// Level: unit
import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import {
  areEqualDigests,
  createKeyRing,
  newWebhookSecret,
  randomBase32,
  type Sealed,
  sha256Hex,
  toBase32,
} from '#common/secrets.ts';
import { describe, expect, forAny, test } from '../support/jest.ts';

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
  ])('the RFC 4648 test vector %j is encoded as %j', (text, expected) => {
    expect(toBase32(Buffer.from(text))).toBe(expected);
  });

  test('any bytes survive encoding and decoding', () => {
    forAny([fc.uint8Array({ maxLength: 100 })], (bytes) => {
      const bits = [...toBase32(bytes)].map((letter) => 'abcdefghijklmnopqrstuvwxyz234567'.indexOf(letter));
      const text = bits.map((value) => value.toString(2).padStart(5, '0')).join('');
      const back = (text.match(/.{8}/g) ?? []).map((octet) => Number.parseInt(octet, 2));
      expect(Uint8Array.from(back)).toEqual(bytes);
    });
  });

  test('32 random bytes give 52 characters that never repeat', () => {
    const made = Array.from({ length: 1_000 }, () => randomBase32(32));
    expect(made.every((text) => /^[a-z2-7]{52}$/.test(text))).toBe(true);
    expect(new Set(made).size).toBe(1_000);
  });
});

describe('digests and webhook secrets', () => {
  test('the FIPS 180-2 test vector has a lower-case hex digest', () => {
    expect(sha256Hex('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });

  test('only identical digests are equal', () => {
    expect(areEqualDigests(sha256Hex('a'), sha256Hex('a'))).toBe(true);
    expect(areEqualDigests(sha256Hex('a'), sha256Hex('b'))).toBe(false);
    expect(areEqualDigests(sha256Hex('a'), '')).toBe(false);
    expect(areEqualDigests(sha256Hex('a'), sha256Hex('a').slice(0, -1))).toBe(false);
    // Neither is hex: decoded, both would be empty.
    expect(areEqualDigests('zz', 'yy')).toBe(false);
  });

  test('a new webhook secret is whsec_ and 32 bytes in base64', () => {
    const secret = newWebhookSecret();
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(Buffer.from(secret.slice(6), 'base64')).toHaveLength(32);
    expect(newWebhookSecret()).not.toBe(secret);
  });
});

describe('the key ring', () => {
  test('encrypting a text twice gives different texts that both decrypt to it', () => {
    const ring = createKeyRing([first]);
    forAny([fc.string({ unit: 'grapheme' })], (plain) => {
      const [left, right] = [ring.encrypt(plain, context), ring.encrypt(plain, context)];
      expect(left).not.toBe(right);
      expect([ring.decrypt(left, context), ring.decrypt(right, context)]).toEqual([plain, plain]);
    });
  });

  test('after a new first key, old texts still decrypt and new ones use the new key', () => {
    const old = createKeyRing([first]).encrypt('whsec_old', context);
    const rotated = createKeyRing([second, first]);
    expect(rotated.decrypt(old, context)).toBe('whsec_old');
    const sealed = rotated.encrypt('whsec_new', context);
    expect(sealed.split('.')[0]).toBe('k2');
    expect(createKeyRing([second]).decrypt(sealed, context)).toBe('whsec_new');
  });

  test('decrypting with a removed key names the key and the variable', () => {
    const old = createKeyRing([first]).encrypt('whsec_old', context);
    expect(() => createKeyRing([second]).decrypt(old, context)).toThrow('No encryption key "k1" in ENCRYPTION_KEYS');
  });

  test('a text does not decrypt with another key of the same id', () => {
    const sealed = createKeyRing([first]).encrypt('whsec_x', context);
    expect(() => createKeyRing([keyOf('k1', 9)]).decrypt(sealed, context)).toThrow();
  });

  test('a text does not decrypt in another context', () => {
    const ring = createKeyRing([first]);
    const sealed = ring.encrypt('whsec_x', context);
    for (const other of ['', 'webhook:wh_2', `${context} `]) expect(() => ring.decrypt(sealed, other)).toThrow();
  });

  test('a text with any bit flipped does not decrypt', () => {
    const ring = createKeyRing([first]);
    const parts = ring.encrypt('whsec_x', context).split('.');
    for (const index of [1, 2, 3]) {
      const bytes = Buffer.from(parts[index] ?? '', 'base64url');
      for (let bit = 0; bit < bytes.length * 8; bit += 1) {
        const forged = Buffer.from(bytes);
        forged.writeUInt8(forged.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
        const text = parts.with(index, forged.toString('base64url')).join('.') as Sealed;
        expect(() => ring.decrypt(text, context)).toThrow();
      }
    }
  });

  test('a text with a truncated tag does not decrypt', () => {
    const ring = createKeyRing([first]);
    const parts = ring.encrypt('whsec_x', context).split('.');
    const tag = Buffer.from(parts[2] ?? '', 'base64url');
    for (const length of [0, 4, 8, 12, 15]) {
      const text = parts.with(2, tag.subarray(0, length).toString('base64url')).join('.') as Sealed;
      expect(() => ring.decrypt(text, context)).toThrow();
    }
  });

  const invented = ['', '.', 'k1', 'k1...', 'k1.AAAA.BBBB.CCCC', 'nonsense'];
  test.each(invented)('decrypting the invented text %j throws', (text) => {
    expect(() => createKeyRing([first]).decrypt(text as Sealed, context)).toThrow();
  });

  test('a key ring without keys throws', () => {
    expect(() => createKeyRing([])).toThrow(/at least one key/);
  });
});

describe('signers', () => {
  const text = 'a text';

  test('rings with the same first key produce the same 32-byte signature for a purpose', () => {
    const signature = createKeyRing([first, second]).signer('cursor').sign(text);
    expect(signature).toHaveLength(32);
    expect(createKeyRing([first]).signer('cursor').sign(text)).toEqual(signature);
  });

  test('another text, purpose or first key produces another signature', () => {
    const signatures = [
      createKeyRing([first]).signer('cursor').sign(text),
      createKeyRing([first]).signer('cursor').sign('another'),
      createKeyRing([first]).signer('token').sign(text),
      createKeyRing([second, first]).signer('cursor').sign(text),
      createKeyRing([`k:${randomBytes(32).toString('base64')}`])
        .signer('cursor')
        .sign(text),
    ];
    expect(new Set(signatures.map((signature) => signature.toString('hex'))).size).toBe(signatures.length);
  });

  test('a signature is valid while its key is in the ring, in any position', () => {
    const signature = createKeyRing([first]).signer('cursor').sign(text);
    const rings = [[first], [first, second], [second, first], [second]];
    const answers = rings.map((ring) => createKeyRing(ring).signer('cursor').isSigned(text, signature));
    expect(answers).toEqual([true, true, true, false]);
    expect(createKeyRing([second, first]).signer('cursor').signAll(text)).toContainEqual(signature);
  });

  test('a signature of another length than expected is refused', () => {
    const signer = createKeyRing([first]).signer('cursor');
    const signature = signer.sign(text);
    expect(signer.isSigned(text, signature.subarray(0, 16), 16)).toBe(true);
    for (const length of [0, 15, 31]) expect(signer.isSigned(text, signature.subarray(0, length))).toBe(false);
    expect(signer.isSigned(text, signature, 16)).toBe(false);
  });
});
