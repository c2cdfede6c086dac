import { createCipheriv, createDecipheriv, hash, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';

const base32Alphabet = 'abcdefghijklmnopqrstuvwxyz234567';

/** Random bytes as base32: 32 bytes give 52 characters. */
export function randomBase32(byteCount: number): string {
  return toBase32(randomBytes(byteCount));
}

/** Lower-case base32 of RFC 4648 without padding. */
export function toBase32(bytes: Uint8Array): string {
  let bits = 0;
  let bitCount = 0;
  let text = '';
  for (const byte of bytes) {
    bits = (bits << 8) | byte;
    bitCount += 8;
    while (bitCount >= 5) {
      bitCount -= 5;
      text += base32Alphabet[(bits >> bitCount) & 31];
    }
    bits &= (1 << bitCount) - 1;
  }
  return bitCount > 0 ? text + base32Alphabet[(bits << (5 - bitCount)) & 31] : text;
}

/** A secret that signs webhook deliveries: `whsec_` and 256 random bits in base64, as Standard Webhooks writes it. */
export function newWebhookSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

/** SHA-256 as hex. Enough for secrets of 256 random bits, which no dictionary holds; passwords use argon2id. */
export function sha256Hex(text: string | Uint8Array): string {
  return hash('sha256', text);
}

/** Whether two hex digests of one length are equal, in a time that does not tell where they differ. */
export function areEqualDigests(left: string, right: string): boolean {
  // As text: decoding hex would make all strings equal that are none.
  const [a, b] = [Buffer.from(left), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Encrypts secrets that must be read again (webhook secrets) and derives keys for things that are only signed. */
export type KeyRing = {
  /** `<key id>.<iv>.<tag>.<ciphertext>`, base64url; `context` must be the same at decryption (AES-256-GCM's AAD). */
  encrypt(plain: string, context: string): string;
  /** Throws when the text was tampered with, belongs to another context or its key is no longer in the ring. */
  decrypt(sealed: string, context: string): string;
  /** A 32-byte key for one purpose (HKDF-SHA-256 of the writing key; RFC 5869). */
  derive(purpose: string): Buffer;
};

/** `entries` are `id:base64` of 32 bytes; the first one writes, all of them read. */
export function createKeyRing(entries: readonly string[]): KeyRing {
  const keys = new Map(
    entries.map((entry) => {
      const separator = entry.indexOf(':');
      return [entry.slice(0, separator), Buffer.from(entry.slice(separator + 1), 'base64')] as const;
    }),
  );
  const first = [...keys][0];
  if (!first) throw new Error('A key ring needs at least one key');
  const [writingId, writingKey] = first;

  return {
    encrypt(plain, context) {
      const iv = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', writingKey, iv).setAAD(Buffer.from(context));
      const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      return [writingId, ...[iv, cipher.getAuthTag(), sealed].map((part) => part.toString('base64url'))].join('.');
    },
    decrypt(sealed, context) {
      const [keyId = '', iv = '', tag = '', body = ''] = sealed.split('.');
      const key = keys.get(keyId);
      if (!key) throw new Error(`No encryption key "${keyId}" in ENCRYPTION_KEYS`);
      const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(iv, 'base64url'))
        .setAAD(Buffer.from(context))
        .setAuthTag(Buffer.from(tag, 'base64url'));
      return decipher.update(Buffer.from(body, 'base64url'), undefined, 'utf8') + decipher.final('utf8');
    },
    derive: (purpose) => Buffer.from(hkdfSync('sha256', writingKey, '', purpose, 32)),
  };
}
