import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hash,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';

const base32Alphabet = 'abcdefghijklmnopqrstuvwxyz234567';

/** Returns random bytes in base32; 32 bytes give 52 characters. */
export function randomBase32(byteCount: number): string {
  return toBase32(randomBytes(byteCount));
}

/** Encodes bytes in lower-case base32 (RFC 4648) without padding. */
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

/** Creates a webhook signing secret: `whsec_` and 256 random bits in base64, as Standard Webhooks specifies. */
export function newWebhookSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

/** Returns the SHA-256 digest as hex. Sufficient for secrets of 256 random bits; passwords use argon2id. */
export function sha256Hex(text: string | Uint8Array): string {
  return hash('sha256', text);
}

/** Compares two hex digests in constant time. */
export function areEqualDigests(left: string, right: string): boolean {
  // Compares the text: decoding as hex would make all invalid strings equal.
  const [a, b] = [Buffer.from(left), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Signs texts for one purpose: HMAC-SHA-256 with keys derived from the key ring. */
export type Signer = {
  /** Returns the 32-byte signature with the first key of the ring. */
  sign(text: string): Buffer;
  /** Returns the signatures with every key of the ring, first key first. Another process may sign with any of them. */
  signAll(text: string): Buffer[];
  /** Returns whether `signature` is that of `text`, truncated to `byteCount` bytes, with any key of the ring. */
  isSigned(text: string, signature: Uint8Array, byteCount?: number): boolean;
};

declare const sealing: unique symbol;
/** An encrypted text. Only fields that are declared as `row.sealed` have this type, so resealing finds all of them. */
export type Sealed = string & { readonly [sealing]: true };

/** Encrypts secrets that must be decrypted later (webhook secrets), and signs values that only need to be verified. */
export type KeyRing = {
  /** The key ids; the first key encrypts. */
  readonly keyIds: readonly string[];
  /**
   * Returns `<key id>.<iv>.<tag>.<ciphertext>` in base64url. `context` is the additional authenticated data
   * (AES-256-GCM) and must be the same for decryption.
   */
  encrypt(plain: string, context: string): Sealed;
  /** Throws if the text was modified, belongs to another context, or its key is not in the ring. */
  decrypt(sealed: Sealed, context: string): string;
  /** Returns the signer for a purpose. Its keys are derived with HKDF-SHA-256 (RFC 5869). */
  signer(purpose: string): Signer;
};

/** Returns the id of the key that encrypted a text. */
export function keyIdOf(sealed: string): string {
  return sealed.slice(0, Math.max(0, sealed.indexOf('.')));
}

/** Creates a key ring from entries `id:base64` of 32 bytes. The first key encrypts, all decrypt. */
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
    keyIds: [...keys.keys()],
    encrypt(plain, context) {
      const iv = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', writingKey, iv).setAAD(Buffer.from(context));
      const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      const parts = [iv, cipher.getAuthTag(), sealed].map((part) => part.toString('base64url'));
      return [writingId, ...parts].join('.') as Sealed;
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
    signer: (purpose) =>
      createSigner([...keys.values()].map((key) => Buffer.from(hkdfSync('sha256', key, '', purpose, 32)))),
  };
}

function createSigner(keys: readonly Buffer[]): Signer {
  const signAll = (text: string) => keys.map((key) => createHmac('sha256', key).update(text).digest());
  return {
    signAll,
    sign(text) {
      const [key] = keys;
      if (!key) throw new Error('A signer needs at least one key');
      return createHmac('sha256', key).update(text).digest();
    },
    isSigned: (text, signature, byteCount = 32) =>
      signature.length === byteCount &&
      signAll(text).some((known) => timingSafeEqual(known.subarray(0, byteCount), signature)),
  };
}
